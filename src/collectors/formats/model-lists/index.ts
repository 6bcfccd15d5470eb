import type { PriceCollector } from '../../collector.ts'
import type { ModelList } from './declaration.ts'
import { openrouter } from './openrouter.ts'
import { modelList } from './read-list.ts'

/** Every list of a seller that is read. */
export const MODEL_LISTS: ModelList[] = [openrouter]

export const modelLists: PriceCollector[] = MODEL_LISTS.map(modelList)
