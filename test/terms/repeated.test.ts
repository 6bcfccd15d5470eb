import { describe, expect, it } from 'vitest'
import { arbitrationTurned, lostPart } from '../../src/terms/compare/lost-part-rules.ts'
import { announcementGone, onlyRepeated, onlyVersionPointer } from '../../src/terms/compare/repeated-rules.ts'
import type { Block } from '../../src/terms/normalize/normal-form-rules.ts'
import { block, change, heading, item, row, textOf, words } from './blocks.ts'

const passage = (count: number, each = 20) =>
  Array.from({ length: count }, (_, i) => words(each, `part${'abcdefgh'[i]}`))
const other = [block('before it'), block('after it')]

describe('a passage that came or went', () => {
  it('is a copy when the document has its five paragraphs and 100 words a second time', () => {
    const copy = passage(5)
    const before = [other[0]!, ...copy, other[1]!]
    expect(onlyRepeated(change([], copy), before, [...before, ...copy])).toBe(true)
    expect(onlyRepeated(change(copy, []), [...before, ...copy], before)).toBe(true)
    expect(onlyRepeated(change([], copy), other, [...other, ...copy])).toBe(false)
  })

  it('is a part of the document when it is shorter', () => {
    const repeated = (copy: ReturnType<typeof passage>) => onlyRepeated(change([], copy), copy, [...copy, ...copy])
    expect(repeated(passage(4, 40))).toBe(false)
    expect(repeated([...passage(4, 20), words(19, 'last')])).toBe(false)
    expect(repeated([...passage(4, 20), words(20, 'last')])).toBe(true)
  })

  it('is a part of the document when another took its place', () => {
    const copy = passage(5)
    expect(onlyRepeated(change(copy, [block('x')]), copy, copy)).toBe(false)
    expect(onlyRepeated(change([], []), copy, copy)).toBe(false)
  })

  it('is a copy of paragraphs that follow each other in the same order', () => {
    const copy = passage(5)
    expect(onlyRepeated(change([], copy), copy.toReversed(), [])).toBe(false)
    expect(onlyRepeated(change([], copy), [...copy.slice(0, 3), other[0]!, ...copy.slice(3)], [])).toBe(false)
    expect(onlyRepeated(change([], copy), [...copy.slice(0, 3), ...copy], [])).toBe(true)
    expect(onlyRepeated(change([], copy), [...copy.slice(0, 3), ...copy.slice(0, 2)], [])).toBe(false)
  })
})

describe('headings that came or went', () => {
  const titles = ['Scope', 'Fees', 'Law'].map(heading)

  it('are an index when three or more are headings of the document too', () => {
    const document = [...titles, block('text')]
    expect(onlyRepeated(change([], titles), document, [...titles, ...document])).toBe(true)
    expect(onlyRepeated(change(titles, []), [...titles, ...document], document)).toBe(true)
    expect(onlyRepeated(change([], titles.slice(1)), document, document)).toBe(false)
  })

  it('are parts of the document when one of them is not there again', () => {
    expect(onlyRepeated(change([], [...titles, heading('Term')]), titles, [])).toBe(false)
    expect(onlyRepeated(change([], titles), [block('Scope'), ...titles.slice(1)], [])).toBe(false)
  })

  it('are no index when a paragraph is among them', () => {
    expect(onlyRepeated(change([], [...titles, block('text')]), [...titles, block('text')], [])).toBe(false)
  })
})

describe('the announcement of a change', () => {
  const bar = 'We are updating our Privacy Policy on 1 June.'
  const dated = 'We are updating our Privacy Policy on 1 June 2026.'
  const gone = (before = [block(bar)], after = [] as ReturnType<typeof block>[], at = 0) =>
    announcementGone(change(before, after, at))

  it('is no part of the document when it goes', () => {
    expect(gone()).toBe(true)
    expect(gone([block('Wir haben unsere Richtlinien überarbeitet.')])).toBe(true)
    expect(gone([block("Nous avons mis à jour notre contrat d'utilisation. Veuillez y jeter un œil.")])).toBe(true)
    expect(gone([block('Wir haben unsere Vereinbarung aktualisiert.')])).toBe(true)
    expect(gone([block('Hemos actualizado nuestro acuerdo.')])).toBe(true)
    expect(gone([block('Abbiamo aggiornato il contratto.')])).toBe(true)
  })

  it('is shown when it comes, or when something takes its place', () => {
    expect(announcementGone(change([], [block(bar)]))).toBe(false)
    expect(gone([block(bar)], [block('We keep it.')])).toBe(false)
  })

  it('may say where the version before is, and nothing else of it', () => {
    const effect = block('This Policy takes effect on 14 August 2026 for new users.')
    expect(gone([effect, block('You may find the previous version of our Terms here.')])).toBe(true)
    expect(gone([effect, block('You may use the previous version of our Terms here.')])).toBe(false)
    expect(gone([effect, block('You may find the previous version here, which you must keep.')])).toBe(false)
  })

  it('may leave a line that states the announced day', () => {
    const announced = block('The following terms will take effect on 30 May 2026.')
    const before = [announced, block('The previous terms of service were posted on 20 January 2026.')]
    expect(gone(before, [block('Last updated 30 May 2026')])).toBe(true)
    expect(gone(before, [block('Last updated 20 January 2026')])).toBe(true)
    expect(gone(before, [block('Last updated 31 May 2026')])).toBe(false)
    expect(gone(before, [block('From 30 May 2026 on you pay us for all that you use.')])).toBe(false)
    expect(gone(before, [block('Opt-out deadline: 30 May 2026')])).toBe(false)
    expect(gone([block('The previous terms of service were posted on 20 January 2026.')])).toBe(false)
    expect(gone([announced, block('The previous fee was 20 euros.')])).toBe(false)
  })

  it('may be in three parts, one of which leads to the version before, or in a table', () => {
    const pointer = block('For the version effective until 3 May, click here.')
    expect(gone([block(bar), pointer])).toBe(true)
    expect(gone([block(bar), pointer, pointer])).toBe(true)
    expect(gone([block(bar), pointer, pointer, pointer])).toBe(false)
    expect(gone([pointer])).toBe(false)
    expect(gone([block(bar), block('We keep it.')])).toBe(false)
    expect(gone([row('', { text: bar })])).toBe(true)
    expect(gone([])).toBe(false)
  })

  it('is one paragraph of at most 60 words', () => {
    const long = (count: number) =>
      block(
        `${bar} ${Array(count - 9)
          .fill('more')
          .join(' ')}`,
      )
    expect(long(60).words).toHaveLength(60)
    expect([gone([long(60)]), gone([long(61)]), gone([block(bar), block(bar)])]).toEqual([true, false, true])
  })

  it('is no row, no entry of a list but at the top, and no other sentence', () => {
    expect(gone([row(bar)])).toBe(false)
    expect([gone([item(bar)], [], 2), gone([item(dated)], [], 3)]).toEqual([true, false])
    expect(gone([block('You have to update your details in our terms.')])).toBe(false)
  })

  it('is among the first three paragraphs, or names its date', () => {
    expect([gone([block(bar)], [], 2), gone([block(bar)], [], 3)]).toEqual([true, false])
    expect(gone([block(dated)], [], 3)).toBe(true)
  })

  it.each([
    'The new version of these terms will go into effect',
    'Nous mettons à jour notre politique',
    'Wir aktualisieren unsere Richtlinien',
    'Actualizaremos nuestras condiciones',
    'Aggiorneremo la nostra informativa',
  ])('names its date where a clause says the same without one: %s', (text) => {
    expect([gone([block(`${text} 01.06.2026.`)]), gone([block(`${text}.`)])]).toEqual([true, false])
  })

  it.each([
    'If we update this policy, we have updated our terms.',
    'We have updated our terms, and you may object.',
    'We have updated our terms with 30 days notice.',
    'We have updated our terms and notified you.',
    'We have updated our terms, which must be kept.',
    'We have updated our terms, which remain in force until terminated.',
    'We have updated our terms, and you have the right to object.',
    'Wir haben das Recht, unsere Richtlinien zu kündigen, geändert.',
    'Wir haben diesen Vertrag mit einer Frist von 30 Tagen.',
    'Nous avons mis à jour nos conditions, si vous voulez.',
    'Hemos actualizado las condiciones cuando aceptas.',
    'We update our terms on 1 June 2026.',
  ])('is no clause about changes: %s', (text) => {
    expect([gone([block(text)]), gone([block(text)], [], 3)]).toEqual([false, false])
    expect(gone([block(bar), block(text)])).toBe(false)
  })

  it('may speak of the month of May and of a privacy notice', () => {
    expect(gone([block('On 3 May we updated our privacy notice.')])).toBe(true)
    expect(gone([block('On May 3, 2026 we updated our Privacy Notice.')])).toBe(true)
    expect(gone([block('We updated our terms. May I ask?')])).toBe(false)
  })
})

describe('an announcement of several lines at the top', () => {
  const updated = 'Nos Termes et Conditions mis à jour entrent en vigueur le 6 avril 2022.'
  const asks = "Si tu souhaites continuer d'utiliser ton compte, tu devras accepter les Conditions mises à jour."
  const until = "Jusqu'à cette date, nos Termes et Conditions actuels continuent de s'appliquer."
  const spanish = 'La actualización de nuestros términos y condiciones entró en vigor el 6 de abril de 2022.'
  const asksInSpanish = 'Para seguir usando tu cuenta, tienes que aceptar los términos actualizados.'
  const blocks = (...texts: string[]) => texts.map((text) => block(text))
  const gone = (before: Block[], after: Block[] = [], at = 0) => announcementGone(change(before, after, at))

  it('is no part of the document when it goes, in each language and in a second copy', () => {
    expect(gone(blocks(updated, asks, until))).toBe(true)
    expect(gone(blocks(updated, asks, until), [], 5)).toBe(true)
    expect(gone(blocks('Our updated Terms take effect on 1 June 2026.', 'The current Terms apply until then.'))).toBe(
      true,
    )
    expect(
      gone(
        blocks(
          'Unsere neuen Bedingungen treten am 1. Juni 2026 in Kraft.',
          'Bis dahin gelten die aktuellen Bedingungen.',
        ),
      ),
    ).toBe(true)
    expect(gone(blocks(updated.replace('mis à jour', 'modifiés'), asks))).toBe(false)
  })

  it('says the same in another language when it names the same day', () => {
    const inSpanish = blocks(spanish.replace('condiciones', 'condiciones actualizadas'), asksInSpanish)
    expect(gone(blocks(updated, asks), inSpanish)).toBe(true)
    const other = blocks(inSpanish[0]!.text.replace('6 de abril', '7 de abril'), asksInSpanish)
    expect(gone(blocks(updated, asks), other)).toBe(false)
  })

  it.each([
    ['when it comes', [], [updated, asks]],
    ['with a clause beside it', [updated, 'Tu paies 3 € par mois.'], []],
    ['without a day', [updated.replace('le 6 avril 2022', 'bientôt'), asks], []],
    ['of a clause alone', [asks], []],
    ['with a clause in its place', [updated, asks], ['Tu paies 3 € par mois.']],
    ['of four lines', [updated, asks, until, asks], []],
    ['with a long line', [updated, `${asks} ${'mot '.repeat(50)}`], []],
  ])('is a change %s', (_what, before, after) => {
    expect(gone(blocks(...before), blocks(...after))).toBe(false)
  })

  it('is a change further below, in a list and as a heading', () => {
    expect(gone(blocks(updated, asks), [], 6)).toBe(false)
    expect(gone([block(updated), item(asks)])).toBe(false)
    expect(gone([block(updated), row(asks)])).toBe(false)
    expect(gone([block(updated), heading(asks)])).toBe(false)
  })
})

describe('a part that went and may not have loaded', () => {
  const document = (total: number) => textOf([words(total)])
  const lost = (total: number, went: number, came = 0) =>
    lostPart(document(total), [change([words(went)], came === 0 ? [] : [words(came)])])

  it('has a tenth of the words, and 30 at least', () => {
    expect([lost(1_000, 100), lost(1_000, 99)]).toEqual([true, false])
    expect([lost(100, 30), lost(100, 29)]).toEqual([true, false])
  })

  it('is large from 300 words on, however long the document is', () => {
    expect([lost(100_000, 300), lost(100_000, 299)]).toEqual([true, false])
  })

  it('has hardly a word in its place', () => {
    expect([lost(1_000, 100, 3), lost(1_000, 100, 4)]).toEqual([true, false])
  })

  it('is counted over all changes', () => {
    const half = change([words(50)], [words(2)])
    expect(lostPart(document(1_000), [half, change([words(50)], [])])).toBe(true)
    expect(lostPart(document(1_000), [half, half])).toBe(false)
  })
})

describe('a line that leads to the version before', () => {
  const line = 'To read the previous version of these terms, click here.'
  const only = (...blocks: Block[]) => {
    const [came, went] = [onlyVersionPointer(change([], blocks)), onlyVersionPointer(change(blocks, []))]
    expect(came).toBe(went)
    return came
  }

  it.each([
    line,
    'View prior versions of this policy',
    'Pour consulter la version précédemment en vigueur des Conditions Générales, cliquez ici.',
    'Die vorherige Fassung finden Sie hier.',
    'Consultar la versión anterior de estas condiciones',
    'La versione precedente è qui',
    'The previous privacy policy can be viewed here.',
    'You can find our former Terms here.',
  ])('is no change: %s', (text) => {
    expect(only(block(text))).toBe(true)
  })

  it.each([
    ['it says what is in force', 'The previous version is in force.'],
    ['it leads to another one', 'To read the next version of these terms, click here.'],
    ['it allows something', 'You may see the previous version instead.'],
    ['notice comes before it', 'We may end it with prior notice. See here.'],
    ['it replaces agreements', 'It replaces the previous agreement, which you can view here and must keep.'],
    [
      'the version before applies to some',
      'The prior version of this DPA, available here, applies to older customers.',
    ],
    ['the version before goes on', 'The prior version, available here, continues for older customers.'],
    ['the version before is in force', 'Die vorherige Fassung finden Sie hier, sie gilt für ältere Kunden.'],
    ['the version before is applied', "La version précédente, disponible ici, s'applique aux anciens clients."],
  ])('is a change when %s', (_what, text) => {
    expect(only(block(text))).toBe(false)
  })

  it('is one paragraph of at most 25 words, and no row of a table', () => {
    const long = (count: number) => block(`${line} ${'more '.repeat(count - 10)}`)
    expect(long(25).words).toHaveLength(25)
    expect([only(long(25)), only(long(26))]).toEqual([true, false])
    expect(only(block(line), block(line))).toBe(false)
    expect(only(row(line))).toBe(false)
    expect(only()).toBe(false)
    expect(onlyVersionPointer(change([block(line)], [block(line)]))).toBe(false)
  })
})

describe('an agreement on arbitration', () => {
  const said = (times: number) => textOf([words(30), words(times / 2, 'arbitration'), words(times / 2, 'arbitrator')])
  const turned = (before: number, after: number) => arbitrationTurned(said(before), said(after))

  it('came or went as a whole when it is spoken of ten times, and not at all beside that', () => {
    expect([turned(0, 10), turned(10, 0)]).toEqual([true, true])
    expect([turned(0, 8), turned(2, 10), turned(10, 12), turned(0, 0)]).toEqual([false, false, false, false])
  })
})
