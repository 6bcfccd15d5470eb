import { basename, join } from 'node:path'
import { expect } from 'vitest'
import type { Screen } from './screen.tsx'

/** Those of a test file are in a folder of its name. */
const GOLDENS = join(import.meta.dirname, '../goldens/screens')
/** They close what is open and do nothing else; what was copied says so. */
const CLOSING = ['Cancel', 'Close', 'Copied']

/** One row or day is as good as another. */
const kindOf = (button: string): string => button.replace(/\d+/g, '#')
/** Days, months and years of the calendar, which a library brings. */
const CALENDAR = /^(|#|(# )?[A-Z][a-z]+ #|[A-Z][a-z]{2}|Month (before|after))$/
/** What was offered, after which button, and what was pressed. */
type SeenControls = { offered: Map<string, string>; pressed: Set<string> }

/** After the button: buttons to press, fields to fill in and what then comes, boxes to tick, keys. */
type Step =
  | string
  | { field: string | RegExp; text: string; until?: string }
  | { tick: string | RegExp }
  | { key: string; ctrlKey?: true }
/** What is done after a button of the page, once for each array. */
type Flows = Record<string, Step[][]>

/**
 * Compares everything that a page shows, and what each of its buttons opens and sends, with a golden file. Every button
 * of the page is pressed once; `flows` go on in what it opens. Fails for a button of a dialog or menu that no flow presses.
 * @param flows buttons that change what others show come last
 */
export async function checkScreen(name: string, open: () => Promise<Screen>, flows: Flows = {}): Promise<void> {
  const first = await open()
  const buttons = [...new Set(first.buttons())]
  const parts = [steady(first.text())]
  first.close()
  expect(buttons, 'flows begin with a button of the page').toEqual(expect.arrayContaining(Object.keys(flows)))
  const alone = buttons.filter((button) => !(button in flows)).map((button): [string, Step[][]] => [button, [[]]])
  const seen: SeenControls = { offered: new Map(), pressed: new Set([...buttons, ...CLOSING].map(kindOf)) }
  let screen: Screen | undefined
  for (const [button, all] of [...alone, ...Object.entries(flows)])
    for (const steps of all) {
      if (typeof steps[0] === 'object') {
        screen?.close()
        await giveUp(await open(), button, steps[0])
        screen = undefined
      }
      screen ??= await open()
      screen.refuse('all')
      let done = await outcome(screen, [button, ...steps], seen)
      const { refusal = [] } = done
      if (done.refusal) {
        screen.close()
        screen = await open()
        await screen.remember()
        done = await outcome(screen, [button, ...steps], seen)
      }
      parts.push([done.text, ...(await closing(screen)), ...refusal].join('\n'))
      // Where nothing was changed, the next button is pressed on the same page.
      if (done.changed || steady(screen.text()) !== parts[0]) {
        screen.close()
        screen = undefined
      }
    }
  screen?.close()
  const unpressed = [...seen.offered]
    .filter(([button]) => !seen.pressed.has(button) && !CALENDAR.test(button))
    .map(([button, after]) => `${after} > ${button}`)
  expect(unpressed, 'buttons that no flow presses').toEqual([])
  await compareWithGolden(name, parts)
}

/** What was typed into a dialog and given up is gone where that is opened again. */
async function giveUp(screen: Screen, button: string, step: Step): Promise<void> {
  await screen.press(button)
  const begun = formOf(screen)
  if (screen.offered().includes('Cancel')) {
    await take(screen, step)
    for (const next of ['Cancel', button]) await screen.press(next)
    expect(formOf(screen), `what ${button} begins with after Cancel`).toBe(begun)
  }
  screen.close()
}

/** Closes what is open. Says so where Escape does not: a secret that is shown once stays. */
async function closing(screen: Screen): Promise<string[]> {
  if (screen.offered().length === 0) return []
  await screen.escape()
  return screen.offered().length > 0 ? ['stays open at Escape'] : []
}

/** Goes through a page step by step. Returns what it shows at first, and what each step sends and changes. */
export async function walk(screen: Screen, steps: Step[]): Promise<string[]> {
  const parts = [screen.text(), ...(await walkOn(screen, steps))]
  screen.close()
  return parts
}

/** Goes on on a page that stays open. Returns what each step sends and changes. */
export async function walkOn(screen: Screen, steps: Step[]): Promise<string[]> {
  const parts: string[] = []
  for (const step of steps) parts.push((await outcome(screen, [step], { offered: new Map(), pressed: new Set() })).text)
  return parts
}

async function take(screen: Screen, step: Step): Promise<void> {
  if (typeof step === 'string') await screen.press(step)
  else if ('tick' in step) await screen.tick(step.tick)
  else if ('key' in step) await screen.key(step.key, step.ctrlKey && { ctrlKey: true })
  else {
    await screen.type(step.field, step.text)
    if (step.until) await screen.until(step.until)
  }
}

function textOf(step: Step): string {
  if (typeof step === 'string') return step
  if ('tick' in step) return `tick ${step.tick}`
  return 'key' in step ? `key ${step.key}` : `${step.field}: ${step.text}`
}

/** Compares what screens show, one after the other, with a golden file. */
export async function compareWithGolden(name: string, parts: string[]): Promise<void> {
  const folder = basename(expect.getState().testPath!, '.test.tsx')
  const golden = join(GOLDENS, folder, `${name}.txt`)
  await expect(numbered(parts.map(steady).join('\n\n'))).toMatchFileSnapshot(golden)
}

type Outcome = { text: string; changed: boolean; refusal?: string[] }

/** Ends with the step whose request is refused. */
async function outcome(screen: Screen, steps: Step[], seen: SeenControls): Promise<Outcome> {
  const before = linesOf(screen)
  const [address, visited] = [screen.address(), screen.visited()]
  let [begun, focus]: [string, string[]] = ['', []]
  for (const [n, step] of steps.entries()) {
    const asked = linesOf(screen)
    await take(screen, step)
    const refusal = await refusalOf(screen, asked)
    if (refusal) return { text: '', changed: false, refusal: [...refusal, ...(await refuseFields(screen, step))] }
    if (typeof step === 'string') seen.pressed.add(kindOf(step))
    for (const button of screen.offered())
      if (!seen.offered.has(kindOf(button))) seen.offered.set(kindOf(button), `${steps[0]}`)
    // What a form begins with is not seen once it is filled in.
    if (n === 0 && steps.length > 1) begun = formOf(screen)
    if (n === 0 && (steps.length > 1 || screen.offered().length > 0)) focus = focusOf(screen)
  }
  const said = steps.map(textOf)
  const after = linesOf(screen)
  const stays = screen.address() === address
  const sent = screen.changes()
  const effects = await screen.effects()
  const lines = [
    `== ${said.join(' > ')}`,
    ...(begun.trim() ? [`begins with ${begun}`] : []),
    ...focus,
    ...arrivalOf(screen, address, visited),
    ...sent.map((request) => `sends ${request}`),
    ...effects,
    // Of a page that was left, everything is gone.
    ...changedLines(before, after).filter((line) => stays || line.startsWith('+')),
    ...(stays && begun.trim() ? await openAgain(screen, steps[0] as string) : []),
  ]
  if (sent.length > 0) expect(await screen.outdated(steady), `shown elsewhere after ${said.at(-1)}`).toEqual([])
  return { text: steady(lines.join('\n')), changed: !stays || sent.length > 0 }
}

/** Returns what a refusal leaves on the page and says, or nothing where nothing was refused. */
async function refusalOf(screen: Screen, before: string[]): Promise<string[] | undefined> {
  const busy = screen.refused()
  if (!busy) return undefined
  return [
    `refused, meanwhile ${busy.join(' ')}`,
    ...focusOf(screen),
    ...(await screen.effects()),
    ...changedLines(before, linesOf(screen)),
  ].map(steady)
}

/** Returns what a refusal of each field says, where the form is still there. */
async function refuseFields(screen: Screen, step: Step): Promise<string[]> {
  const said: string[] = []
  const isThere = () => typeof step === 'string' && [...screen.offered(), ...screen.buttons()].includes(step)
  for (let n = 0, count = 1; n < count && isThere(); n++) {
    const before = linesOf(screen)
    screen.changes()
    screen.refuse(n)
    await take(screen, step)
    const [sent] = screen.changes()
    if (!sent) return n > 0 || changedLines(before, linesOf(screen)).length > 0 ? said : ['does nothing any more']
    count = sent.endsWith('}') ? Object.keys(JSON.parse(sent.slice(sent.indexOf('{')))).length : 0
    if (count > 0) said.push(...((await refusalOf(screen, before)) ?? []))
  }
  return said
}

/** Returns the lines that are no longer there, and the new ones. */
export const changedLines = (before: string[], after: string[]): string[] => [
  ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
  ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
]

/** The field that is typed into at once, where there is one; of what is open also a button. */
const focusOf = (screen: Screen): string[] => {
  const focused = screen.focused() ?? ''
  const isSaid = focused.startsWith('{') || (focused.startsWith('[') && screen.offered().length > 0)
  return isSaid ? [`focus on ${focused}`] : []
}

/** The address that a page came to have, and where keys go on where it is another page. */
function arrivalOf(screen: Screen, before: string, visited: number): string[] {
  const address = screen.address()
  if (address === before) return []
  const [focus = 'nothing'] = screen.focused()?.split('\n') ?? []
  const isPage = pathOf(address) !== pathOf(before)
  return [
    `${screen.visited() > visited ? 'opens' : 'has the address'} ${address}`,
    ...(isPage ? [`with the focus on ${focus}`] : []),
  ]
}

const pathOf = (address: string): string => address.split(/[?#]/)[0]!

const linesOf = (screen: Screen): string[] => steady(screen.text()).split('\n')
const formOf = (screen: Screen): string => screen.fields().join(' ')

/** Returns what a form begins with where it is opened once more: nothing of what was typed before. */
async function openAgain(screen: Screen, button: string): Promise<string[]> {
  if (screen.offered().length > 0 || !screen.buttons().includes(button)) return []
  await screen.press(button)
  const again = formOf(screen)
  screen.changes()
  await screen.effects()
  return [`begins again with ${again}`]
}

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]
const LONG_DATE = /\b(?:[A-Z][a-z]+day), ([A-Z][a-z]+ \d{1,2}, \d{4})\b/g

/** Secrets, addresses and the time differ at every run: instants are shown by their distance from now. */
export function steady(text: string): string {
  const now = Date.now()
  const today = Math.floor(now / DAY_MS)
  /** The newest instant that can be read is some minutes ago: soon after midnight it is of yesterday. */
  const days = (day: string) => {
    const distance = Date.parse(day) / DAY_MS - today
    return distance === 0 || distance === -1 ? '<today>' : `<${distance} days>`
  }
  /** In hours; what is days away is shown by its date, so that the time of day does not matter. */
  const distance = (day: string, time: string) => {
    const hours = (Date.parse(`${day}T${time}Z`) - now) / HOUR_MS
    return Math.abs(hours) < 24 ? `<${Math.round(hours)} h>` : days(day)
  }
  return (
    text
      .replace(/…[\w-]{4}\b/g, '…xxxx')
      .replace(/\b(ptk|whsec)_[\w+/=-]+/g, '$1_…')
      .replace(/#token=[\w-]+/g, '#token=…')
      .replace(/"token":"[\w-]+"/g, '"token":"…"')
      .replace(/\/feeds\/[\w-]+/g, '/feeds/…')
      .replace(/\b10\.\d+\.\d+\.\d+\b/g, '10.x.x.x')
      .replace(/As of \d\d:\d\d UTC/g, 'As of HH:MM UTC')
      .replace(
        /\b(\d{4}-\d\d-\d\d)[ T](\d\d(?::|%3A)\d\d)((?::|%3A)\d\d(?:\.\d+)?)?( UTC|Z)/g,
        (_, day, minute, second = '') => distance(day, `${minute}${second}`.replaceAll('%3A', ':')),
      )
      .replace(/\b\d{4}-\d\d-\d\d(?=\b|T\d\d:\d\d\b)/g, days)
      .replace(LONG_DATE, (_, day) => days(new Date(`${day} UTC`).toISOString().slice(0, 10)))
      // The times of a table, and the days that its rows are under.
      .replace(/\b\d\d:\d\d:\d\d, </g, 'HH:MM:SS, <')
      .replace(/^(\| )?\d{1,2} [A-Z][a-z]{2} \d{4}, UTC$/gm, '$1D MMM YYYY, UTC')
      // A slow machine takes a minute from what is made to what is shown.
      .replace(/\b(less than a minute|\d minutes?) ago\b/g, 'moments ago')
      // Rounds start on the clock: how far away the next one is differs at every run.
      .replace(/^in .* at the earliest$/gm, 'after a round')
      .replace(/in the delivery run at .*/g, 'in the next delivery run')
      .replace(/(delivery run starts at) \d\d:\d\d UTC/g, '$1 HH:MM UTC')
      .replace(/\btest_[\w-]+/g, 'test_…')
  )
}

/** Names of things become numbers, in the order in which they are read. */
function numbered(text: string): string {
  const names = new Map<string, string>()
  const numberOf = (name: string) => names.get(name) ?? names.set(name, `#${names.size + 1}`).get(name)!
  return `${text.replace(/(?<![0-9a-z])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b[0-9a-f]{64}\b|\b[0-9a-f]{16}\b/g, numberOf)}\n`
}
