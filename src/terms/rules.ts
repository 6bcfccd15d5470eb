import { CHANGE_RULES } from './compare/change-table-rules.ts'
import { LINE_RULES, WORD_RULES } from './normalize/text-table-rules.ts'
import type { Rule } from './rule.ts'

/** Every rule of the normal form, in the order in which they are applied. */
export const RULES: readonly Rule[] = [...LINE_RULES, ...WORD_RULES, ...CHANGE_RULES]
