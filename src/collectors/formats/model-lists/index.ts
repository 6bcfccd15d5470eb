import type { PriceCollector } from '../../collector.ts'
import type { ModelList } from './declaration.ts'
import { deepinfra } from './deepinfra.ts'
import { openrouter } from './openrouter.ts'
import { modelList } from './read-list.ts'
import * as sellers from './sellers.ts'

/** Every list of a seller that is read. */
export const MODEL_LISTS: ModelList[] = [openrouter, deepinfra, ...Object.values(sellers)]

export const modelLists: PriceCollector[] = MODEL_LISTS.map(modelList)
