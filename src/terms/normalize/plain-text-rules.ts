/**
 * One line of Markdown as plain text, and what it is. `targets` are where its links lead, if it is nothing but links
 * (letters and mail aside); `link` says it is one link.
 */
export type PlainLine = { plain: string; heading: boolean; item: boolean; link: boolean; targets: string[] }

const IMAGE = /!\[[^\]\n]{0,2000}\]\((?:<[^>\n]*>|[^()\s]|\([^()\s]*\))*(?:\s+"[^"\n]*")?\)/g
const LINK_TARGET = /\]\((?:<[^>\n]*>|(?:[^()\s<]|\([^()\s]*\))*)(?:\s+"[^"\n]*")?\)/g
const REFERENCE = /^\s{0,3}\[[^\]\n]{1,200}\]:\s+\S+/
const URL_TEXT = /<?\bhttps?:\/\/(?:www\.)?([^\s/<>()[\]"']+)[^\s<>()[\]"']*>?/gi
/** A link in a line of text that leads to the page's other versions, or says that it opens elsewhere. */
const CHOOSER =
  /\(?\[(?:(?:view |see )?(?:the )?(?:previous|prior|archived) versions?|(?:french|english|german|spanish|italian)(?: version)?(?: ?[/|-] ?[\p{L} ]{3,30})?|version française|versión en español|deutsche version)\]\((?:<[^>\n]*>|(?:[^()\s<]|\([^()\s]*\))*)\)\)?/giu
/** Addresses that Cloudflare hides from robots: the link's target holds them, XORed with its first byte. */
const HIDDEN_EMAIL = /\[+[^\][\n]{0,60}\]*\]\([^()\s]*\/cdn-cgi\/l\/email-protection#([0-9a-f]{8,200})\)/gi
const TAG = /<\/?[a-z][a-z0-9-]*(?:\s[^<>\n]{0,2000})?\/?>/gi
const ENTITIES: Record<string, string> = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', mdash: '-', ndash: '-', rsquo: "'", lsquo: "'",
  ldquo: '"', rdquo: '"', hellip: '...', copy: '©', sect: '§', euro: '€', pound: '£',
} // biome-ignore format: a vocabulary reads best in lines

/** Marks before a line's text: quotes, bullets, then numbering such as `1.`, `2\.`, `(b)`, `iv)`, `3.2.`. */
const QUOTE = /^\s{0,20}(?:>\s?){1,10}/
const BULLET = /^\s*[*+\-•◦▪–]\s+/
const NUMBERING = /^\s*\(?(?:\d{1,3}(?:\.\d{1,3}){0,4}|[a-zA-Z]|[ivxIVX]{1,5})\\?[.)]\s+/
const BARE_NUMBERING = /^\s*\d{1,2}(?:\.\d{1,2}){1,3}\s+(?=["“'*_]{0,3}\p{Lu}\p{Ll})/u

function hiddenEmail(hex: string): string {
  const bytes = Buffer.from(hex, 'hex')
  const mask = bytes[0] ?? 0
  return Buffer.from(bytes.subarray(1).map((byte) => byte ^ mask)).toString('utf8')
}

function withoutMarkup(line: string): string {
  return line
    .normalize('NFKC')
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
    .replace(HIDDEN_EMAIL, (_all, hex: string) => hiddenEmail(hex))
    .replace(/\\([^\p{L}\p{N}\s[\]()])/gu, '$1')
    .replace(IMAGE, '')
    .replace(CHOOSER, ' ')
    .replace(/\[\s*\]\([^()\n]*\)/g, '')
    .replace(LINK_TARGET, ']')
    .replace(URL_TEXT, '$1')
    .replace(TAG, ' ')
    .replace(/&(?:#(\d{1,6})|([a-z]{2,8}));/gi, (all, code: string | undefined, name: string | undefined) =>
      code ? String.fromCodePoint(Math.min(Number(code), 0x10ffff)) : (ENTITIES[(name ?? '').toLowerCase()] ?? all),
    )
    .replace(/[‘’ʼ`´]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[‐‑‒–—―]/g, '-')
    .replace(/\\([^\p{L}\p{N}\s])/gu, '$1')
}

/** The text of a line without bullets, numbering and emphasis. */
function bare(line: string): { text: string; item: boolean } {
  let text = line.replace(QUOTE, '').replace(/(?<!\\)[[\]]/g, '')
  const bullet = BULLET.test(text) || /^\s*(?:\d{1,3}|[a-zA-Z])[.)]\s/.test(text)
  text = text.replace(BULLET, '').replace(/^\s*(?:[*_]{1,3})(?=[\d(])/, '')
  text = text.replace(NUMBERING, '').replace(NUMBERING, '').replace(BARE_NUMBERING, '')
  text = text.replace(/[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}|~~|`|[[\]]/g, '')
  return { text: text.replace(/\|/g, ' ').replace(/\s+/g, ' ').trim(), item: bullet }
}

const LINK = /!?\[((?:\\.|[^\]\\\n]){0,300})\]\(\s{0,3}<?((?:[^()\s<>]|\([^()\s]*\)){0,2000})>?(?:\s+"[^"\n]*")?\)/g
/** Words that may stand beside a row of links, for each link: buttons and titles among them. */
const WORDS_PER_LINK = 0.5

function onlyLinks(line: string): string[] {
  if (!line.includes('](') || line.trimStart().startsWith('|')) return []
  const targets: string[] = []
  const rest = line.replace(LINK, (all, text: string, target: string) => {
    if (!all.startsWith('!') && text.trim() !== '') targets.push(target)
    return ' '
  })
  if ((rest.match(/[\p{L}\p{N}]+/gu) ?? []).length > (targets.length > 1 ? targets.length * WORDS_PER_LINK : 0))
    return []
  return targets.some((target) => /^(?:mailto|tel):|email-protection/i.test(target)) && targets.length < 3
    ? []
    : targets
}

const isRule = (line: string) =>
  /^\s*(?:[-*_=]\s*){3,}$/.test(line) || /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*$/.test(line)

/** Markdown as lines of plain text: headings, list items and whole-line links told apart, layout gone. */
export function plainLines(markdown: string): PlainLine[] {
  const lines = markdown.replace(/\r\n?/g, '\n').split('\n')
  const plain: PlainLine[] = []
  for (const [i, line] of lines.entries()) {
    if (isRule(line) || REFERENCE.test(line)) continue
    const under = lines[i + 1] ?? ''
    const setext = line.trim() !== '' && /^\s{0,3}(?:={2,}|-{2,})\s*$/.test(under) && !line.startsWith('|')
    const atx = /^\s{0,3}#{1,6}(?:\s+|(?=\d))/.exec(line)
    const link = /^\s*(?:[*+-]\s+)?\[[^\]]+\]\([^)]*\)\s*$/.test(line)
    const { text, item } = bare(withoutMarkup(atx ? line.slice(atx[0].length) : line))
    if (text === '') continue
    plain.push({
      plain: text.replace(/\s+#+$/, ''),
      heading: setext || atx !== null,
      item,
      link,
      targets: onlyLinks(line),
    })
  }
  return plain
}
