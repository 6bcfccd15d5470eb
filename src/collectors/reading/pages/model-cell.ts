import type { Cell } from '../tables/schema.ts'
import { type Conditions, takeConditions } from './conditions.ts'
import type { ModelRule } from './declaration.ts'

/** The models of a cell: their names in the API, and on which terms the row holds. */
export type ModelCell = { resources: string[]; conditions: Conditions; isRetired: boolean }

/** Reads the cell of a model. A sentence says what is wrong with it. */
export function modelsOf(cell: Cell, rule: ModelRule): ModelCell | { problem: string } {
  const linked = cell.links.find(({ text }) => matches(text, rule.name))
  const parts = linked ? [linked.text] : rule.separator ? cell.text.split(rule.separator) : [cell.text]
  const resources: string[] = []
  let conditions: Conditions = {}
  let isRetired = rule.retired !== undefined && cell.labels.some((label) => rule.retired!.test(label))
  for (const part of parts) {
    const name = rule.name.exec(part.trim())?.[0]
    if (name === undefined) return { problem: `has “${part}” where a model should be` }
    // What stands beside a link is a caption.
    const note = linked ? cell.text.replace(linked.text, ' ') : part.trim().slice(name.length)
    const resource = rule.resource ? rule.resource(name.trim(), linked?.to, note.trim()) : name.trim()
    if (resource === undefined) return { problem: `lists “${name.trim()}”, and no rule says what the API calls it` }
    resources.push(resource)
    const taken = takeConditions(rule.notes ? note.replace(rule.notes, ' ') : note)
    if (!taken) return { problem: `lists “${part}” with a day that does not exist` }
    conditions = { ...conditions, ...taken.conditions }
    if (rule.retired?.test(taken.rest)) isRetired = true
    else if (!linked && !/^[\s(),.*[\]]*$/.test(taken.rest)) return { problem: `lists “${part}” with an unknown note` }
  }
  return { resources, conditions, isRetired }
}

const matches = (text: string, name: RegExp): boolean => name.exec(text)?.[0].trim() === text
