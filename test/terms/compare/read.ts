import { changesBetween } from '../../../src/terms/compare/changes-rules.ts'
import { classify as classifyTexts } from '../../../src/terms/compare/classify-rules.ts'
import { describeChanges } from '../../../src/terms/compare/difference-rules.ts'
import { doubtsAbout } from '../../../src/terms/compare/doubts/doubts-rules.ts'
import { notADocument as notADocumentText } from '../../../src/terms/compare/doubts/not-a-document-rules.ts'
import { sideBySide as sideBySideOf } from '../../../src/terms/compare/side-by-side-rules.ts'
import { readText } from '../../../src/terms/normalize/normal-form-rules.ts'

/** The rules of this room, applied to Markdown. */
export const normalForm = (markdown: string) => readText(markdown).normalForm
export const blocksOf = (markdown: string) => readText(markdown).blocks

export function classify(before: string, after: string) {
  const [a, b] = [readText(before), readText(after)]
  return classifyTexts(a, b, changesBetween(a, b))
}

export function differenceOf(before: string, after: string) {
  const [a, b] = [readText(before), readText(after)]
  return describeChanges(a, changesBetween(a, b))
}

export function sideBySide(before: string, after: string) {
  const [a, b] = [readText(before), readText(after)]
  return sideBySideOf(a, b, changesBetween(a, b))
}

export function doubtsOf(before: string, after: string) {
  const [a, b] = [readText(before), readText(after)]
  return doubtsAbout(a, b, changesBetween(a, b))
}

export const notADocument = (markdown: string, signals: string[], earlier?: string) =>
  notADocumentText(readText(markdown), signals, earlier === undefined ? undefined : readText(earlier))
