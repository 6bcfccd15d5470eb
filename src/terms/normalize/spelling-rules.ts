/** Words as both kinds of English write them: a page may be served in either, and says the same. */
const PAIRS: [british: RegExp, american: string][] = [
  [/(?<=\p{L}{3})is(e|ed|es|er|ers|ing|ation|ations)$/u, 'iz$1'],
  [/(?<=\p{L}{3})ys(e|ed|es|ing)$/u, 'yz$1'],
  [/(?<=\p{L}{3})our(s|ed|ing|able|ite|al|ful|s)?$/u, 'or$1'],
  [/(?<=\p{L}{2})tre(s|d)?$/u, 'ter$1'],
  [/(?<=\p{L}{4})ll(ed|ing|er|ers|ation)$/u, 'l$1'],
  [/(?<=licen|defen|offen)c(e|es)$/u, 's$1'],
  [/(?<=practi)[sz](e|ed|es|ing)$/u, 'c$1'],
  [/(?<=fulfi|enro|insta)l(s|ment|ments)?$/u, 'll$1'],
  [/(?<=program)me(s?)$/u, '$1'],
  [/(?<=catalog|dialog)ue(s?)$/u, '$1'],
  [/(?<=judg|acknowledg)ement/u, 'ment'],
]
const SHORTEST = 6
const MOST_KNOWN = 50_000
const known = new Map<string, string>()

/** One spelling for both; what it makes need not be a word, it only has to be the same for two spellings of one. */
export function oneSpelling(word: string): string {
  if (word.length < SHORTEST) return word
  const before = known.get(word)
  if (before !== undefined) return before
  let spelled = word
  for (const [british, american] of PAIRS) spelled = spelled.replace(british, american)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(word, spelled)
  return spelled
}
