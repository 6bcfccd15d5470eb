import { gfm } from 'joplin-turndown-plugin-gfm'
import TurndownService from 'turndown'

/** The one converter of every document that is not text already; docs/decisions says why one. */
const turndown = new TurndownService({
  headingStyle: 'atx',
  bulletListMarker: '-',
  emDelimiter: '_',
  codeBlockStyle: 'fenced',
})
turndown.use(gfm)
turndown.remove(['script', 'style', 'noscript', 'template', 'iframe', 'object', 'canvas'] as TurndownService.Filter)
turndown.addRule('no pictures', { filter: 'img', replacement: () => '' })
turndown.addRule('superscript', { filter: ['sup', 'sub'], replacement: (content) => content })

export const htmlToMarkdown = (html: string): string => tidyMarkdown(turndown.turndown(html))

/** Markdown with one kind of line end, no trailing spaces and at most one empty line. */
export const tidyMarkdown = (markdown: string): string =>
  markdown
    .replace(/\r\n?/g, '\n')
    .replace(/[\u00a0\u2007\u202f]/g, ' ')
    .split('\n')
    .map(withoutTrailingSpaces)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** Not a pattern: `[ \t]+$` looks at each run of spaces once for each of its spaces. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length
  while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t')) end--
  return line.slice(0, end)
}
