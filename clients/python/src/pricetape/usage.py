"""What the usage of an answer of OpenAI's or Anthropic's API counts."""

from typing import Any, Dict, List, Optional, Tuple


def openai_items(usage: Dict[str, Any]) -> List[Dict[str, Any]]:
    """Returns the items of a usage that counts cached, reasoning and audio tokens within its sums, as OpenAI's does."""
    given = usage.get("prompt_tokens_details") or usage.get("input_tokens_details") or {}
    made = usage.get("completion_tokens_details") or usage.get("output_tokens_details") or {}
    cached, input_audio = given.get("cached_tokens") or 0, given.get("audio_tokens") or 0
    reasoning, output_audio = made.get("reasoning_tokens") or 0, made.get("audio_tokens") or 0
    return _used(
        ("input_tokens", _first(usage, "prompt_tokens", "input_tokens") - cached - input_audio, None),
        ("cache_read_tokens", cached, None),
        ("input_audio_tokens", input_audio, None),
        ("output_tokens", _first(usage, "completion_tokens", "output_tokens") - reasoning - output_audio, None),
        ("reasoning_tokens", reasoning, None),
        ("output_audio_tokens", output_audio, None),
    )


def anthropic_items(usage: Dict[str, Any]) -> List[Dict[str, Any]]:
    """Returns the items of a usage that counts cached tokens apart from its input, as Anthropic's does."""
    created = usage.get("cache_creation") or {}
    hour = created.get("ephemeral_1h_input_tokens") or 0
    short = created.get("ephemeral_5m_input_tokens")
    written = (usage.get("cache_creation_input_tokens") or 0) - hour if short is None else short
    return _used(
        ("input_tokens", _first(usage, "input_tokens"), None),
        ("cache_read_tokens", _first(usage, "cache_read_input_tokens"), None),
        ("cache_write_tokens", written, {"ttl": "5m"}),
        ("cache_write_tokens", hour, {"ttl": "1h"}),
        ("output_tokens", _first(usage, "output_tokens"), None),
        ("web_searches", (usage.get("server_tool_use") or {}).get("web_search_requests") or 0, None),
    )


def _used(*items: Tuple[str, int, Optional[Dict[str, str]]]) -> List[Dict[str, Any]]:
    return [
        {"dimension": dimension, "quantity": quantity, **({"tier": tier} if tier else {})}
        for dimension, quantity, tier in items
        if quantity != 0
    ]


def _first(usage: Dict[str, Any], *names: str) -> int:
    return next((usage[name] for name in names if usage.get(name) is not None), 0)
