import type { Cell } from '../tables/schema.ts'
import { type Conditions, takeConditions } from './conditions.ts'
import type { ModelRule } from './declaration.ts'

export type Discount = NonNullable<ModelRule['discounts']>[number]
/** The models of a cell: their names in the API, on which terms the row holds, and a note that no one declared. */
export type ModelCell = {
  resources: string[]
  conditions: Conditions
  isRetired: boolean
  discounts: Discount[]
  unknown?: string
}

/** What is wrong with the cell of a model; `isText` where it holds no name at all. */
export type NoModel = { problem: string; isText?: true }

/** Reads the cell of a model. A sentence says what is wrong with it. */
export function modelsOf(cell: Cell, rule: ModelRule): ModelCell | NoModel {
  const linked = cell.links.find(({ text }) => cell.text.startsWith(text) && matches(text, rule.name))
  const parts = linked ? [linked.text] : rule.separator ? cell.text.split(rule.separator) : [cell.text]
  const resources: string[] = []
  const discounts = (rule.discounts ?? []).filter(({ note }) => note.test(cell.text))
  let unknown: string | undefined
  let conditions: Conditions = {}
  let isRetired = rule.retired !== undefined && cell.labels.some((label) => rule.retired!.test(label))
  for (const part of parts) {
    const name = rule.name.exec(part.trim())?.[0]
    if (name === undefined) return { problem: `has “${part}” where a model should be`, isText: true }
    // What stands beside a link is a caption.
    const note = linked ? cell.text.replace(linked.text, ' ') : part.trim().slice(name.length)
    const resource = rule.resource ? rule.resource(name.trim(), linked?.to, note.trim()) : name.trim()
    if (resource === undefined) return { problem: `lists “${name.trim()}”, and no rule says what the API calls it` }
    resources.push(resource)
    const taken = takeConditions(rule.notes ? note.replace(rule.notes, ' ') : note)
    if (!taken) return { problem: `lists “${part}” with a day that does not exist` }
    conditions = { ...conditions, ...taken.conditions }
    if (rule.retired?.test(taken.rest)) isRetired = true
    else if (!linked && !/^[\s(),.*[\]]*$/.test(taken.rest)) unknown = part
  }
  return { resources, conditions, isRetired, discounts, ...(unknown !== undefined && { unknown }) }
}

const matches = (text: string, name: RegExp): boolean => name.exec(text)?.[0].trim() === text
