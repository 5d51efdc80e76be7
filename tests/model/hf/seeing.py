"""Tiny vision-language models of random weights, saved and loaded like big ones; and pictures."""

import base64
import io
from pathlib import Path

import torch
from PIL import Image
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    CLIPVisionConfig,
    Gemma3Config,
    Gemma3ForConditionalGeneration,
    Gemma3Processor,
    Idefics3Config,
    Idefics3ForConditionalGeneration,
    Idefics3Processor,
    LlamaConfig,
    LlavaConfig,
    LlavaForConditionalGeneration,
    LlavaProcessor,
    PreTrainedTokenizerFast,
)
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil
from transformers.models.gemma3.image_processing_pil_gemma3 import Gemma3ImageProcessorPil
from transformers.models.idefics3.image_processing_pil_idefics3 import Idefics3ImageProcessorPil

from bakeoff.nouns import Message, Part

MARKS = (
    "<image>", "<start_of_image>", "<image_soft_token>", "<end_of_image>",
    "<fake_token_around_image>", "<global-img>", "<end_of_utterance>",
)  # fmt: skip
# Parts in their order, the image's mark where the image stands; a text in place of parts is lost.
CHAT = (
    "{{% for m in messages %}}[{{{{ m.role }}}}]{{% for p in m.content %}}"
    "{{% if p.type == 'image' %}}{mark}{{% elif p.type == 'text' %}}{{{{ p.text }}}}{{% endif %}}"
    "{{% endfor %}}\n{{% endfor %}}{{% if add_generation_prompt %}}[assistant]{{% endif %}}"
)


def _tokenizer(mark: str, image_token: str) -> PreTrainedTokenizerFast:
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    inner = Tokenizer(models.BPE(vocab={letter: i for i, letter in enumerate(alphabet)}, merges=[]))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner,
        bos_token="<s>",
        eos_token="</s>",
        extra_special_tokens={
            "image_token": image_token,
            "boi_token": "<start_of_image>",
            "eoi_token": "<end_of_image>",
        },
    )
    tokenizer.add_tokens([AddedToken(mark, special=True) for mark in MARKS])
    tokenizer.chat_template = CHAT.format(mark=mark)
    return tokenizer


def _text(size: int) -> dict:
    return {
        "vocab_size": size, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2,
        "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 512,
        "initializer_range": 0.4, "bos_token_id": 256, "eos_token_id": 257,
    }  # fmt: skip


def tiny_llava(folder: Path) -> Path:
    """CLIP's patches in place of one mark each; every image one size."""
    tokenizer = _tokenizer("<image>", "<image>")
    torch.manual_seed(0)
    vision = CLIPVisionConfig(
        hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2,
        image_size=32, patch_size=8, initializer_range=0.4,
    )  # fmt: skip
    config = LlavaConfig(
        vision_config=vision,
        text_config=LlamaConfig(**_text(len(tokenizer))),
        image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
        image_seq_length=16,
        initializer_range=0.4,
    )
    images = CLIPImageProcessorPil(size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32})
    processor = LlavaProcessor(
        images, tokenizer, patch_size=8, vision_feature_select_strategy="default",
        chat_template=tokenizer.chat_template, image_token="<image>", num_additional_image_tokens=1,
    )  # fmt: skip
    return _saved(folder / "tiny-llava", LlavaForConditionalGeneration(config), processor)


def tiny_gemma3(folder: Path) -> Path:
    """Kinds of tokens: the patches of an image see each other, text sees what is before it."""
    tokenizer = _tokenizer("<start_of_image>", "<image_soft_token>")
    ids = tokenizer.convert_tokens_to_ids
    torch.manual_seed(0)
    config = Gemma3Config(
        text_config=_text(len(tokenizer)) | {"head_dim": 8, "sliding_window": 64, "query_pre_attn_scalar": 8}
        | {"tie_word_embeddings": False},
        vision_config={
            "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2,
            "image_size": 32, "patch_size": 8, "vision_use_head": False,
        },
        mm_tokens_per_image=4,
        boi_token_index=ids("<start_of_image>"),
        eoi_token_index=ids("<end_of_image>"),
        image_token_index=ids("<image_soft_token>"),
        initializer_range=0.4,
        tie_word_embeddings=False,
    )  # fmt: skip
    images = Gemma3ImageProcessorPil(size={"height": 32, "width": 32})
    processor = Gemma3Processor(images, tokenizer, image_seq_length=4, chat_template=tokenizer.chat_template)
    model = Gemma3ForConditionalGeneration(config)
    # transformers leaves this one at zero: nothing of an image would get through.
    torch.nn.init.normal_(model.model.multi_modal_projector.mm_input_projection_weight)
    return _saved(folder / "tiny-gemma3", model, processor)


def tiny_idefics3(folder: Path) -> Path:
    """Images cut into tiles, as many as they need."""
    tokenizer = _tokenizer("<image>", "<image>")
    torch.manual_seed(0)
    config = Idefics3Config(
        text_config={"model_type": "llama", **_text(len(tokenizer))},
        vision_config={
            "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2,
            "image_size": 32, "patch_size": 8, "initializer_range": 0.4,
        },
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
        scale_factor=2,
        initializer_range=0.4,
    )  # fmt: skip
    images = Idefics3ImageProcessorPil(
        size={"longest_edge": 64}, max_image_size={"longest_edge": 32}, do_image_splitting=True
    )
    processor = Idefics3Processor(images, tokenizer, image_seq_len=4, chat_template=tokenizer.chat_template)
    return _saved(folder / "tiny-idefics3", Idefics3ForConditionalGeneration(config), processor)


def _saved(folder: Path, model, processor) -> Path:
    model.eval().save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


TINY = {"llava": tiny_llava, "gemma3": tiny_gemma3, "idefics3": tiny_idefics3}


def picture(colour: str, size: tuple[int, int] = (40, 40), *, half: str | None = None) -> Part:
    """A plain image, its right half of another colour where one is named."""
    image = Image.new("RGB", size, colour)
    if half:
        image.paste(half, (size[0] // 2, 0, *size))
    file = io.BytesIO()
    image.save(file, "PNG")
    return Part("image", base64.b64encode(file.getvalue()).decode(), "image/png")


def asked(*parts: Part | str) -> tuple[Message, ...]:
    """One message of the user."""
    return (Message("user", tuple(Part("text", p) if isinstance(p, str) else p for p in parts)),)
