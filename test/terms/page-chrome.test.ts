import { describe, expect, it } from 'vitest'
import { normalForm } from './read.ts'
import { replaceIn, TERMS } from './texts.ts'

const link = (text: string) => `[${text}](https://example.com/${text.toLowerCase().replaceAll(' ', '-')})`
const menu = (...texts: string[]) => texts.map((text) => `- ${link(text)}`).join('\n')
const row = (...texts: string[]) => texts.map(link).join('')

const above = (frame: string) => `${frame}\n\n${TERMS}`
const below = (frame: string) => `${TERMS}\n\n${frame}`

const CONSENT = `We value your privacy

We and our 312 partners use cookies to improve your experience on our website.

Customise Reject All Accept All

Strictly necessary cookies make the site work and cannot be switched off.

Number of Vendors seeking consent: 207

Reject All Save My Preferences Accept All`

describe('the chrome of a page around a document', () => {
  it.each([
    ['a row of links', below(row('Models', 'Pricing', 'Blog'))],
    ['a row of links with a label before it', below(`Tools${row('Sandbox', 'Training', 'Demos')}`)],
    [
      'a menu with titles',
      below(`### Company\n\n${menu('About', 'Careers', 'Press')}\n\n### Product\n\n${menu('Pricing')}`),
    ],
    [
      'a row of links with a button in it',
      below(`${row('Status', 'Docs', 'Jobs', 'Blog', 'Press', 'Learn')}Your privacy choices`),
    ],
    ['which version is shown', above('Version:June 16, 2026 (Latest)')],
    ['the previous and the next page', below(`${link('Getting started')}${link('Mobile apps')}`)],
    [
      'a footer with a line of rights',
      below(`#### Learn\n\n${row('Status', 'Docs', 'Jobs')}\n\nExample, 2026. All Rights Reserved.`),
    ],
    ['a menu above', above(`${row('Explore', 'Pricing')}\n\n${link('Log in')}\n\nGet started`)],
    [
      'an advertisement above the menu',
      above(`${link('A new model is here 🚀')}\n\n${row('Explore', 'Pricing', 'Docs')}`),
    ],
    ['a window that asks for consent, below', below(CONSENT)],
    ['a window that asks for consent, above', above(CONSENT)],
    [
      'a small one',
      below(
        "Cookie Notice\n\nWe'd like to use cookies to remember what you prefer.\n\nAccept all cookiesReject all cookies",
      ),
    ],
    [
      'a bar that announces another document',
      above(
        `**[We recently updated our Privacy Notice.](https://example.com/privacy)**\n\nWe say more about cookies now.`,
      ),
    ],
    ['what measures fonts', below(`${'word '.repeat(40)}\n\nmmMwWLliI0fiflO&1`)],
    ['the keys of a search field', below('⌘I')],
    ['buttons side by side', below('Was this page helpful?\n\nYesNo')],
    ['how long ago it was edited', below('Updated 3 days ago')],
    ['how long ago it was updated', below('Last updated: 2 weeks ago')],
    ['how long ago it was updated, in German', below('Zuletzt aktualisiert: vor 3 Wochen')],
    ['how long ago it was updated, in French', below('Mis à jour il y a 2 mois')],
    ['how long ago it was updated, in Spanish', below('Actualizado hace 5 días')],
    [
      'versions to choose from',
      above('View archived versions: Select date May 20, 2020 March 17, 2020 December 10, 2019 October 31, 2019'),
    ],
    ['languages to choose from', above('English English Bulgarian Croatian Czech Danish Dutch')],
    [
      'a style sheet in the text',
      below('p.p1 {margin: 0.0px 0.0px 12.0px; font: 12.0px Times;} li.li3 {margin: 0.0px; -webkit-text-stroke: #000}'),
    ],
    ['a script in the text', below('window.dataLayer = window.dataLayer || []; function gtag(){}')],
    ['a bar that announces another document in French', above('Nous avons mis à jour notre politique. Lire ici.')],
    ['how many it helped', below('12 out of 40 found this helpful')],
  ])('%s does not count', (_what, page) => {
    expect(normalForm(page)).toBe(normalForm(TERMS))
  })

  it.each([
    [
      'a list of firms with links to them',
      '- [Cloud One](https://one.example.net)\n- [Mail Two](https://two.example.org)\n- [Pay Three](https://three.example.edu)\n- [Chat Four](https://four.example.com)',
    ],
    ['a link to write to', '[Write to us](mailto:legal@example.com)'],
    ['a sentence about cookies', 'We use cookies to keep you signed in.'],
    [
      'a paragraph with links',
      `You also agree to the ${link('Usage Policy')} and the ${link('Privacy Policy')} of this service.`,
    ],
    ['a table of links', `| ${link('Cloud One')} | ${link('Mail Two')} |\n| --- | --- |`],
    [
      'a policy on cookies',
      'We use cookies for the following purposes.\n\nNecessary cookies keep you signed in.\n\n### Managing your cookie settings\n\n- Reject all cookies in your browser',
    ],
    ['a short list item', '- Selling the output'],
    ['a sentence about what was long ago', 'This applies to accounts that were closed a year ago.'],
    ['a placeholder in braces', 'Your notice must name {company: the firm you work for} and its address.'],
    ['a list of languages in a sentence', 'We answer in English, German, French, Spanish and Dutch within two days.'],
    ['the day it takes effect', 'These terms take effect on 3 March 2026.'],
  ])('%s is part of the document', (_what, part) => {
    const page = replaceIn(TERMS, '## 4. Liability', `${part}\n\n## 4. Liability`)
    expect(normalForm(page)).not.toBe(normalForm(TERMS))
  })

  it('keeps links to annexes below the text, which begin alike, and none of a menu', () => {
    const annexes = ['Terms of use – shops', 'Terms of Use – offers', 'Terms of use – travel']
    const form = normalForm(below(menu(...annexes)))
    expect(form).toContain('termsofusetravel')
    expect(normalForm(below(menu(...annexes, 'Terms of use – tourism')))).not.toBe(form)
    const menus = [
      [...annexes.slice(1), 'Terms of sale'],
      ['Help us', 'Help us', 'Help us'],
    ]
    for (const texts of menus) expect(normalForm(below(menu(...texts)))).toBe(normalForm(TERMS))
  })

  it('keeps the words of a document that ends in contact details and a menu', () => {
    const contact = 'Example, Inc.\n\n12 Sample Street, Springfield'
    const page = below(`${contact}\n\n${menu('About', 'Careers', 'Press', 'Status')}`)
    expect(normalForm(page)).toBe(normalForm(below(contact)))
  })
})
