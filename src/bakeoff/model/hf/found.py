"""What the files of a folder in transformers' layout say of the model in them, without loading it."""

import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from bakeoff.model.card import NAME, read_card
from bakeoff.model.found import Found, WeightType

_ADAPTER = "adapter_config.json"
_INDEX = "model.safetensors.index.json"
_LONGEST_HEADER = 100_000_000
"""Bytes, the format's own limit."""
_LARGEST_CONFIG = 16 << 20
_LOADED_BY = (
    "AutoConfig",
    "AutoModelForCausalLM",
    "AutoModelForImageTextToText",
    "AutoTokenizer",
    "AutoProcessor",
)
_LONGEST_NAME, _MOST_NAMES = 100, 16
# Of stored numbers, these are weights; whole numbers and booleans are positions and masks.
_WEIGHTS = frozenset({"F64", "F32", "F16", "BF16", "F8_E4M3", "F8_E5M2", "I8"})
_PACKED = {"U8": 8, "I32": 32}
"""Bits of what quantised weights are packed into."""
_BESIDE = re.compile(r"scale|zero|g_idx|absmax|quant_map|quant_state|nested_|SCB|weight_(shape|format)")
"""What a quantised checkpoint holds beside its weights."""


def found_in_folder(folder: Path) -> Found:
    """What `folder` says of its model. What is damaged says nothing: loading it will say what is wrong."""
    config, adapter = _json(folder / "config.json"), _json(folder / _ADAPTER)
    card = read_card(folder / NAME)
    base = _text(adapter.get("base_model_name_or_path"))
    architectures = config.get("architectures")
    return Found(
        parameters=stored_parameters(folder),
        licence=card.licence,
        card=card.characters,
        base=card.base or ((base,) if base else ()),
        weight_type=_weight_type(folder, config) or card.weight_type or "",
        architecture=_text(architectures[0]) if isinstance(architectures, list) and architectures else "",
        own_code=tuple(sorted({*_own_code(config), *_own_code(_json(folder / "tokenizer_config.json"))})),
    )


def stored_parameters(folder: Path) -> int | None:
    """How many weights the safetensors files of `folder` hold, from their headers.

    Packed weights count unpacked, and their scales do not. A matrix that is stored twice counts twice, as on
    the hub. None where there are no such files, one is damaged, or it does not say how weights are packed.
    """
    files = _files(folder)
    try:
        bits = _bits(_json(folder / "config.json").get("quantization_config"))
        counts = [_weights(name, each, bits) for file in files for name, each in _header(file)]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    if not files or None in counts:
        return None
    return sum(count or 0 for count in counts)


def _files(folder: Path) -> list[Path]:
    """The files that transformers reads: copies in other layouts lie beside them."""
    listed = _json(folder / _INDEX).get("weight_map")
    if isinstance(listed, dict):
        return [folder / name for name in sorted({str(name) for name in listed.values()}) if "/" not in name]
    whole = folder / "model.safetensors"
    return [whole] if whole.is_file() else sorted(folder.glob("*.safetensors"))


def _header(file: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each tensor's name and description: eight bytes of length, then JSON.

    Format: https://huggingface.co/docs/safetensors
    """
    with file.open("rb") as opened:
        length = int.from_bytes(opened.read(8), "little")
        if length > _LONGEST_HEADER:
            raise ValueError(f"the header of {file} would be {length} bytes long")
        header = orjson.loads(opened.read(length))
    return ((name, each) for name, each in header.items() if name != "__metadata__")


def _weights(name: str, tensor: Mapping[str, Any], bits: int | None) -> int | None:
    """The weights in a tensor of a checkpoint whose packed weights have so many `bits`: 0 where it is not
    quantised, None where they are not known.
    """
    numbers, kind = math.prod(int(size) for size in tensor["shape"]), tensor["dtype"]
    if bits != 0 and _BESIDE.search(name):
        return 0
    if kind in _WEIGHTS:
        return numbers
    if kind not in _PACKED or bits == 0:
        return 0
    return None if bits is None else numbers * _PACKED[kind] // bits


def _bits(quantisation: object) -> int | None:
    """The bits of a packed weight, as `quantization_config` gives them in each method's own words."""
    if not isinstance(quantisation, dict):
        return 0
    method = str(quantisation.get("quant_method", "")).lower()
    if quantisation.get("load_in_8bit") or "fp8" in method:
        return 8
    if quantisation.get("load_in_4bit") or "fp4" in f"{method} {quantisation.get('quant_algo', '')}".lower():
        return 4
    groups = quantisation.get("config_groups")
    weights = [group.get("weights") for group in groups.values()] if isinstance(groups, dict) else []
    told = [each["num_bits"] for each in weights if isinstance(each, dict) and "num_bits" in each]
    told += [quantisation[name] for name in ("bits", "w_bit", "wbits") if name in quantisation]
    known = {each for each in told if isinstance(each, int) and each > 0}
    return known.pop() if len(known) == 1 else None


def _weight_type(folder: Path, config: Mapping[str, Any]) -> WeightType | None:
    if (folder / _ADAPTER).is_file():
        return "adapter"
    return "quantised" if isinstance(config.get("quantization_config"), dict) else None


def _own_code(config: Mapping[str, Any]) -> Iterator[str]:
    """The classes that a configuration names in files of its own and transformers has none of that name.

    Where it has one, the code was taken up by transformers, which is what runs.
    """
    named = config.get("auto_map")
    if not isinstance(named, dict):
        return
    from transformers import __all__ as known

    for auto in _LOADED_BY:
        places = named.get(auto)
        for place in places[:_MOST_NAMES] if isinstance(places, list) else [places]:
            name = _text(place).rpartition(".")[2]
            if name and name not in known:
                yield name


def _json(file: Path) -> Mapping[str, Any]:
    """The JSON object in `file`; an empty one where there is none."""
    try:
        with file.open("rb") as opened:
            value = orjson.loads(opened.read(_LARGEST_CONFIG))
    except (OSError, orjson.JSONDecodeError):
        return {}
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) and len(value) <= _LONGEST_NAME and "," not in value else ""
