import type { PriceCollector } from '../../collector.ts'
import type { ModelList } from './declaration.ts'
import { deepinfra } from './deepinfra.ts'
import * as machines from './machines.ts'
import { nearai } from './nearai.ts'
import { openrouter } from './openrouter.ts'
import { modelList } from './read-list.ts'
import * as sellers from './sellers.ts'

/** Every list of models that a seller publishes itself, and is read. */
export const MODEL_LISTS: ModelList[] = [openrouter, deepinfra, nearai, ...Object.values(sellers)]

/** Every list of machines that is read like one of models. */
export const MACHINE_LISTS: ModelList[] = Object.values(machines)

export const modelLists: PriceCollector[] = [...MODEL_LISTS, ...MACHINE_LISTS].map(modelList)
