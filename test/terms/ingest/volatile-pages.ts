import { replaceIn } from '../texts.ts'

const QUOTES = [
  'Fortune favours the bold and the patient alike.',
  'A journey of many miles begins below your feet.',
  'Nothing is so painful as a great and sudden thing.',
  'Measure twice before you cut the cloth once.',
  'Even monkeys fall out of the trees sometimes.',
  'Still waters run deep under every old bridge.',
  'The early bird eats what the late bird missed.',
]
const WORDS = 'amber birch cedar delta ember fjord grove heath inlet juniper knoll lagoon meadow'.split(' ')
const pick = (n: number, from: string[]) => from[(n * 7 + 3) % from.length]!
const random = (n: number) => (n * 7_919 + 104_729) % 99_991
export const invented = (n: number) =>
  `The ${pick(random(n), WORDS)} offers ${pick(random(n + 1), WORDS)} and ${pick(random(n + 2), WORDS)} number ${random(n)} today.`

export const aboveLiability = (text: string, part: string) =>
  replaceIn(text, '## 4. Liability', `${part}\n\n## 4. Liability`)

/** Pages of which a part differs at every fetch, the n-th time. */
export const VOLATILE: Record<string, (text: string, n: number) => string> = {
  'a sentence that never repeats': (text, n) => aboveLiability(text, invented(n)),
  'a quote from a small pool': (text, n) => aboveLiability(text, pick(n, QUOTES)),
  'an advertisement above the text': (text, n) => `Advertisement: ${invented(n)}\n\n${text}`,
  'a line below the text': (text, n) => `${text}\n\nServed by node ${random(n)} for session ${random(n + 9)}x${n}.`,
  'the number of visitors': (text, n) =>
    aboveLiability(text, `${1_000 + random(n)} people have read this page so far.`),
  'the date and time of the fetch': (text, n) =>
    aboveLiability(
      text,
      `This page was generated on 2025-0${1 + (Math.floor(n / 28) % 9)}-${10 + (n % 18)} at ${n % 24}:15.`,
    ),
  'a banner that is there at every second fetch': (text, n) =>
    n % 2 ? text : replaceIn(text, 'Welcome', 'Join us at our conference in the autumn, seats are limited.\n\nWelcome'),
  'a sentence at the end of a paragraph of the document': (text, n) =>
    replaceIn(text, 'keep your password secret.', `keep your password secret. ${invented(n)}`),
  'a sentence beside the one that changes': (text, n) =>
    text.replace(/(We may change them with \d+ days notice\.)/, `$1 ${invented(n)}`),
  'a paragraph right above the one that changes': (text, n) =>
    text.replace('You pay the fees', `${invented(n)}\n\nYou pay the fees`),
  'two such parts': (text, n) => aboveLiability(`${invented(n)}\n\n${text}`, invented(n + 50)),
  'two servers that word a paragraph differently': (text, n) =>
    n % 2 ? text : replaceIn(text, 'Tell us at once when you think', 'Notify us without delay when you believe'),
  'a headline': (text, n) => aboveLiability(text, `### ${invented(n)}`),
  'a list whose entries take turns': (text, n) => {
    const links = ['Alpha News', 'Beta Story', 'Gamma Report', 'Delta Notes', 'Epsilon Brief']
    const turned = [...links.slice(n % 5), ...links.slice(0, n % 5)]
    return aboveLiability(text, turned.map((name) => `- ${name} of the week`).join('\n'))
  },
  'a number inside a sentence that changes': (text, n) =>
    text.replace(
      /We may change them with (\d+) days notice\./,
      `As ${random(n)} customers know, we may change them with $1 days notice.`,
    ),
}

const entries = (count: number) =>
  Array.from({ length: count }, (_, i) => `- ${pick(i, WORDS)} number ${i + 1} of the week`)
const turn = <T>(list: T[], n: number): T[] => [...list.slice(n % list.length), ...list.slice(0, n % list.length)]

/** The list in an order that the number alone decides. */
function shuffle<T>(list: T[], n: number): T[] {
  const order = list.map((value, i) => ({ value, key: random(n * 31 + i * 17) }))
  return order.sort((a, b) => a.key - b.key).map(({ value }) => value)
}

const listOf = (text: string, lines: string[]) => aboveLiability(text, lines.join('\n'))
const PARAGRAPHS = [
  'Tools are built here for teams that write a lot of text together.',
  'The offices are in three towns near the coast of the sea.',
  'Others tell what they think of the way the work is done.',
]

/** Lists, quotes and tips that take turns, are shuffled, or change more slowly than the page is fetched. */
const TURNING: Record<string, (text: string, n: number) => string> = {
  'a list of two that takes turns': (text, n) => listOf(text, turn(entries(2), n)),
  'a list of three that takes turns': (text, n) => listOf(text, turn(entries(3), n)),
  'a list of eight that takes turns': (text, n) => listOf(text, turn(entries(8), n)),
  'a list of twenty that takes turns': (text, n) => listOf(text, turn(entries(20), n)),
  'a list of five that is shuffled': (text, n) => listOf(text, shuffle(entries(5), n)),
  'a list of ten that is shuffled': (text, n) => listOf(text, shuffle(entries(10), n)),
  'three of eight, in turn': (text, n) => listOf(text, turn(entries(8), n).slice(0, 3)),
  'three of eight, at random': (text, n) => listOf(text, shuffle(entries(8), n).slice(0, 3)),
  'a list of links that takes turns': (text, n) =>
    listOf(
      text,
      turn(entries(5), n).map((line) => line.replace(/- (.*)/, '- [$1](https://other.example.org/$1)')),
    ),
  'two quotes that take turns': (text, n) => aboveLiability(text, QUOTES[n % 2]!),
  'four quotes that take turns': (text, n) => aboveLiability(text, QUOTES[n % 4]!),
  'three quotes, each for two fetches': (text, n) => aboveLiability(text, QUOTES[Math.floor(n / 2) % 3]!),
  'five quotes, each for three fetches': (text, n) => aboveLiability(text, QUOTES[Math.floor(n / 3) % 5]!),
  'a list that turns every third fetch': (text, n) => listOf(text, turn(entries(5), Math.floor(n / 3))),
  'a list that turns every fourth fetch': (text, n) => listOf(text, turn(entries(5), Math.floor(n / 4))),
  'a tip for every second fetch': (text, n) => aboveLiability(text, invented(Math.floor(n / 2))),
  'a tip for every fourth fetch': (text, n) => aboveLiability(text, invented(Math.floor(n / 4))),
  'paragraphs that take turns': (text, n) => aboveLiability(text, turn(PARAGRAPHS, n).join('\n\n')),
  'an advertisement and a list that takes turns': (text, n) => listOf(`${invented(n)}\n\n${text}`, turn(entries(5), n)),
}

export const ALL_VOLATILE = { ...VOLATILE, ...TURNING }
