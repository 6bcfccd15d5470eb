import type { ReadText } from '../normalize/normal-form-rules.ts'
import { keptShare } from './doubts/kept-rules.ts'

/** What is wrong with a declaration beside the container of its page, and a selector that would find that. */
export type DeclarationAdvice = { proposed?: string; worse?: string }

/** A declaration that lacks more of the container than this leaves a part of the document out. */
const LEAST_FOUND = 0.95
/** A declaration of which less is in the container keeps the page around the document. */
const LEAST_WITHIN = 0.8

/** Says when what is declared finds less than the container of the page, or the page around it. */
export function adviceOn(
  declared: ReadText,
  container: ReadText,
  { selector, notFound }: { selector?: string; notFound?: string },
): DeclarationAdvice {
  if (notFound !== undefined) return { proposed: selector, worse: 'it finds nothing' }
  const [found, within] = [keptShare(container, declared), keptShare(declared, container)]
  if (found < LEAST_FOUND) return { proposed: selector, worse: `it finds ${percent(found)} of the text of the page` }
  if (within < LEAST_WITHIN) return { proposed: selector, worse: `${percent(1 - within)} of what it finds is not text` }
  return {}
}

const percent = (share: number) => `${Math.floor(share * 100)} %`
