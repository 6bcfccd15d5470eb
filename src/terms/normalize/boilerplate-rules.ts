/**
 * What is on a page around a legal text and is not part of it: labels of buttons, menus, language choosers and
 * accessibility hints. Compared in lower case with single spaces. Only whole lines; a sentence is never boilerplate.
 */
const LABELS = new Set(
  `select language|choose language|change language|language|languages|table of contents|contents|on this page|in this article
in this document|jump to|jump to section|skip to main content|skip to content|back to top|go to top|top|menu|close|open menu|search
download|download pdf|download as pdf|download a copy|view pdf|print|print this page|print page|save as pdf|share|share this|copy link
copy|copied|sign in|sign up|log in|login|register|get started|try it free|try claude|contact sales|contact us|contact support|learn more|read more
see more|show more|show less|expand all|collapse all|expand|collapse|home|legal|cookie settings|cookie preferences|manage cookies
manage preferences|accept all|reject all|accept|decline|was this page helpful|was this article helpful|was this helpful|yes|no|feedback
previous|next|previous version|previous versions|view previous version|view previous versions|see previous version|see previous versions
prior versions|archived versions|version history|all versions|subscribe|subscribe to updates|listen to article|english|english us|français|deutsch|español|italiano
português|nederlands|polski|日本語|한국어|中文|简体中文|繁體中文|french version|english version|german version|spanish version|italian version
version française|versión en español|deutsche version|version|loading|play video|return to top|powered by|copy page|ask ai|assistant|opens in a new window|opens in a new tab|external link`.split(
    /[|\n]/,
  ),
)

/** Lines such as `View previous business terms`, `French version`, `5 min read`, `© 2025 Example, Inc.`. */
const PATTERNS = [
  /^(?:\()?(?:view|see|read|show) (?:the |our )?(?:previous|upcoming|prior|older|archived|earlier) [\p{L} ]{3,60}$/u,
  /^\d{1,3} min(?:ute)?s? read$/u,
  /^(?:(?:view|available|read|also available) in )?(?:english|french|german|spanish|italian|portuguese|japanese|korean|chinese)(?: version)?$/u,
  /^(?:(?:french|english|german|spanish|italian) version ?)+(?:version française|versión en español|deutsche version)?$/u,
  /^(?:copyright )?(?:©|\(c\)) ?(?:copyright )?\d{4}.{0,80}$/u,
  /^copyright (?:©|\(c\))? ?\d{4}.{0,80}$/u,
  /^©.{0,100}$/u,
  /^.{0,80}\ball rights reserved(?! (?:by|to|for|under|in|except|unless|and|hereunder)\b).{0,60}$/u,
  /^all collections.{0,160}$/u,
  /(?:\.{6}|(?: \.){6})[. ]*\d{0,4}$/u,
  /^(?:read next|other ways to get help|outlined ?flag|[-\s]*enter (?:a )?summary[-\s]*)$/u,
  /^\d{1,2}:\d{2} ?\/ ?\d{1,2}:\d{2}$/u,
  /^stay organized with collections(?: save and categorize content based on your preferences)?$/u,
  /^save and categorize content based on your preferences$/u,
  /^(?:key takeaways|send feedback|rate this page|was this helpful send feedback|except as otherwise noted, the content of this page is licensed under .{0,160})$/u,
  /^(?:on this page|in this article|key takeaways)(?: .{0,60})? (?:spark|expand_more|chevron_\p{L}+)$/u,
  /^version:? ?.{3,40}\((?:latest|current)\)$/u,
  /^\d{1,3}$/u,
  /^(?:⌘|ctrl|cmd|alt) ?\+? ?\p{L}$/u,
  /^(?:powered|hosted|built) (?:by|with|on) ?[\p{L}\p{N}. ]{2,30}$/u,
  /^powered ?by ?this documentation is built/u,
  /^(?:view|copy|open|ask about)(?: this)?(?: page)? (?:as|in) (?:markdown|chatgpt|claude)$/u,
  /^(?:responses are generated (?:using|by) ai\b|documentation index$|fetch the complete documentation index|use this file to discover all available pages)/u,
  /^(?:updated|edited|reviewed) (?:about |over )?(?:\d{1,3}|an?|one) (?:minute|hour|day|week|month|year)s? ago$/u,
  /^\d{1,6} (?:out of|of) \d{1,6} (?:people )?found this (?:article |page )?helpful$/u,
  /^(?:we(?:'ve| have)? )?(?:recently |just )updated (?:these|this|our) (?:[\p{L}]+ ){0,4}(?:policies|policy|terms|notice|agreement)(?: learn more(?: here)?)?(?: see (?:the )?previous version(?: here)?)?$/u,
]

/** What pages measure fonts with. */
const MEASURE = /^(?:(\p{L}{2,20})(?: \1){5,}|mmmwwlli)/u

/** Two to four labels with nothing between them but spaces: `Expand all Collapse all`, `YesNo`. */
const SEVERAL = new RegExp(
  `^(?:(?:${[...LABELS, 'accept all cookies', 'reject all cookies', 'customise', 'customize', 'save my preferences']
    .sort((a, b) => b.length - a.length)
    .join('|')})\\s*){2,4}$`,
  'u',
)

/** Hints inside a line: where a link opens, and what a version chooser says after a date. */
const HINTS =
  / ?\(?\bopens (?:in )?(?:a )?new (?:window|tab)\b\)?|\( ?external link ?\)|\((?:view |see )?(?:the )?previous versions?\)|\bsee prior versions? of(?: [\p{L}]+){0,5}$/giu

export const withoutHints = (line: string): string => line.replace(HINTS, '').trim()

/** Whether a whole line is boilerplate. `line` is plain text without markup. */
export function isBoilerplate(line: string): boolean {
  const label = line
    .toLowerCase()
    .replace(/[()[\]:?!.·•|›»→↗]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (MEASURE.test(label)) return true
  if (label.length > 120) return false
  return (
    LABELS.has(label) ||
    (label.length <= 60 && SEVERAL.test(label)) ||
    PATTERNS.some((pattern) => pattern.test(label) || pattern.test(line.toLowerCase().trim()))
  )
}
