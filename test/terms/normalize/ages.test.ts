import { describe, expect, it } from 'vitest'
import { classify, normalForm } from '../compare/read.ts'

const TEXT = 'You may use the services for your own business.\n\nEither party may end the agreement.'
const below = (line: string) => `# Terms of Use\n\n${line}\n\n${TEXT}`

describe('a line that says how long ago the page was changed', () => {
  it.each([
    'Updated: 10 days ago',
    'Last updated an hour ago',
    'Updated over a week ago',
    'Written by Ada Lovelace 3 months ago',
    'Updated yesterday',
    'Last revised 2 weeks ago',
    'Aktualisiert vor 3 Tagen',
    'Mis à jour il y a 2 semaines',
    'Actualizado hace 5 días',
    'Aggiornato 4 giorni fa',
  ])('says nothing: %s', (line) => {
    expect(normalForm(below(line))).toBe(normalForm(`# Terms of Use\n\n${TEXT}`))
  })

  it.each([
    'We keep what you deleted more than 30 days ago for another 60 days in our backups.',
    'Accounts that were closed 30 days ago',
    'Terms posted 30 days ago or earlier apply.',
    'We pay no invoices that were published 30 days ago.',
    '- Deleted 30 days ago',
    '| Deleted 30 days ago | kept |\n| --- | --- |\n| no | no |',
  ])('says something where it is not one: %s', (line) => {
    expect(classify(below(line), below(line.replaceAll('30', '90')))).not.toBe('cosmetic')
  })
})
