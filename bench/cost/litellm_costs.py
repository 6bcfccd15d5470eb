"""What LiteLLM's calculator says: reads a list of `{"key", "request"}` from stdin, prints a list of totals or errors."""

import json
import os
import sys

# LiteLLM prints notices to stdout; the answer is all that belongs there.
answers, sys.stdout = sys.stdout, sys.stderr
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
import litellm  # noqa: E402
from litellm.litellm_core_utils.llm_cost_calc.utils import generic_cost_per_token  # noqa: E402
from litellm.types.utils import CompletionTokensDetailsWrapper, PromptTokensDetailsWrapper, Usage  # noqa: E402


def total(key, request):
    usage = Usage(
        prompt_tokens=request["input"],
        completion_tokens=request["output"],
        total_tokens=request["input"] + request["output"],
        prompt_tokens_details=PromptTokensDetailsWrapper(
            cached_tokens=request["cached"], cache_creation_tokens=request["written"]
        ),
        cache_read_input_tokens=request["cached"],
        cache_creation_input_tokens=request["written"],
        completion_tokens_details=CompletionTokensDetailsWrapper(
            reasoning_tokens=request["reasoning"], text_tokens=request["output"] - request["reasoning"]
        ),
    )
    entry = litellm.model_cost[key]
    return sum(generic_cost_per_token(model=key, usage=usage, custom_llm_provider=entry["litellm_provider"]))


def answer(task):
    try:
        return {"total": total(**task)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:200]}


if sys.argv[1:] == ["list"]:
    json.dump(litellm.model_cost, answers)
else:
    json.dump([answer(task) for task in json.load(sys.stdin)], answers)
