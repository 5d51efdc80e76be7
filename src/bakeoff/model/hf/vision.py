"""Images for vision-language models: files to pixels, and texts with images to a model's inputs."""

import base64
import io
import logging
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bakeoff.errors import ModelError
from bakeoff.model.pair import Ids
from bakeoff.nouns import Part

_log = logging.getLogger(__name__)

Inputs = Mapping[str, Any]
"""Tensors by the names that the model's forward pass gives them."""


class ImageError(Exception):
    """An image that cannot be decoded."""


def find_processor(folder: Path) -> tuple[Any, str]:
    """The processor of a vision-language model; or None, and why the model is to be shown no images.

    Raises:
        ModelError: the model cannot be loaded for text alone either.
    """
    from transformers import AutoConfig, AutoProcessor
    from transformers.models.auto.modeling_auto import (
        MODEL_FOR_CAUSAL_LM_MAPPING,
        MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING,
    )

    described = any((folder / f"{name}_config.json").is_file() for name in ("preprocessor", "processor"))
    config = AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    if not described or type(config) not in MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING:
        return None, "the model reads text only"
    try:
        if find_spec("PIL") is None:
            raise ImportError("it needs Pillow: pip install 'bakeoff[hf]'")
        processor = AutoProcessor.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except (OSError, ValueError, ImportError, AttributeError) as error:
        # transformers' first line names what is missing, the others how to use a notebook.
        reason = f"its image processor cannot be loaded: {str(error).strip().splitlines()[0]}"
        if type(config) in MODEL_FOR_CAUSAL_LM_MAPPING:
            return None, reason
        raise ModelError(
            f"{folder.name}: {reason}",
            "Processors with video need torchvision too, in the build that belongs to the installed torch.",
        ) from error
    if getattr(processor, "image_processor", None) is None:
        return None, "it has no image processor"
    tokenizer = processor.tokenizer
    if not tokenizer.chat_template:
        tokenizer.chat_template = processor.chat_template
    if tokenizer.pad_token is None:
        # What stands in padded places is masked; it only has to be a token.
        tokenizer.pad_token = tokenizer.eos_token
    return processor, ""


class Eyes:
    """A processor, asked for inputs: token ids with a place for every patch of an image, and the pixels."""

    def __init__(self, processor: Any, device: Any) -> None:
        self._processor = processor
        self._device = device
        self._opening = processor.tokenizer.bos_token or ""

    def inputs(self, texts: Sequence[str], images: Sequence[Sequence[Part]]) -> Inputs:
        """The inputs of a batch, its rows padded on the left; each text has a mark for each of its images.

        Raises:
            ImageError: an image cannot be decoded.
            ValueError: marks and images do not match, or the processor refuses them.
        """
        pictures = [[_decoded(part) for part in row] for row in images]
        # A chat template writes its own beginning of text, or none of the rows have one.
        opened = bool(self._opening) and texts[0].startswith(self._opening)
        found = self._processor(
            text=list(texts),
            images=pictures if any(pictures) else None,
            return_tensors="pt",
            padding=True,
            padding_side="left",
            add_special_tokens=not opened,
        )
        return dict(found.to(self._device))

    def ids(self, text: str, images: Sequence[Part]) -> Ids:
        """The token ids of one text, with a place for every patch."""
        return tuple(self.inputs([text], [images])["input_ids"][0].tolist())


def cut_to(inputs: Inputs, ids: Ids) -> dict[str, Any]:
    """The inputs of one row, with `ids` in place of its own, of which they hold the images' part unchanged.

    What goes along with the ids token by token (kinds of tokens) is cut, or lengthened as for text.
    """
    import torch

    before = inputs["input_ids"]
    length, size = before.shape[1], len(ids)
    ours: dict[str, Any] = {}
    for name, value in inputs.items():
        if tuple(value.shape) == (1, length):
            ours[name] = torch.nn.functional.pad(value[:, :size], (0, max(0, size - length)))
        else:
            ours[name] = value
    ours["input_ids"] = torch.tensor([ids], device=before.device)
    ours["attention_mask"] = torch.ones_like(ours["input_ids"])
    return ours


def why_blind(model: Any, eyes: Eyes, mark: str) -> str:
    """Why the model cannot be trusted with images, tried out before it is believed; empty if it can.

    It must tell a black image from a striped one, and see the same in a padded batch as alone. `mark` is the
    text of a message with an image. Rounding is far below what passes here.
    """
    import torch

    pictures = [_striped(), _black()]
    rows = [f"{mark} one two three four", mark]
    try:
        with torch.inference_mode():
            batch = model(**eyes.inputs(rows, [[each] for each in pictures])).logits[:, -1].float()
            alone = model(**eyes.inputs(rows[1:], [pictures[1:]])).logits[:, -1].float()
            other = model(**eyes.inputs(rows[1:], [pictures[:1]])).logits[:, -1].float()
    except (
        TypeError,
        ValueError,
        AttributeError,
        RuntimeError,
        IndexError,
        KeyError,
        StopIteration,
    ) as error:
        _log.info("this architecture is not shown images: %s", error)
        return f"{type(error).__name__} at a first image: {str(error).splitlines()[0] if str(error) else ''}"
    if torch.equal(alone, other):
        return "two different images give the same answer"
    if (batch[1] - alone[0]).std() >= 0.2 * alone[0].std():
        return "beside other rows it sees something else than alone"
    return ""


def _decoded(part: Part) -> Any:
    """The pixels as RGB, transparent ones on white."""
    from PIL import Image

    try:
        image: Image.Image = Image.open(io.BytesIO(base64.b64decode(part.data)))
        image.load()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise ImageError(f"the image cannot be decoded: {error}") from error
    if image.has_transparency_data:
        image = image.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")
    return image.convert("RGB")


def _striped() -> Part:
    from PIL import Image

    image = Image.new("RGB", (64, 64), "white")
    for left in range(0, 64, 8):
        image.paste("red", (left, 0, left + 4, 64))
    return _part(image)


def _black() -> Part:
    from PIL import Image

    return _part(Image.new("RGB", (64, 64), "black"))


def _part(image: Any) -> Part:
    file = io.BytesIO()
    image.save(file, "PNG")
    return Part("image", base64.b64encode(file.getvalue()).decode("ascii"), "image/png")
