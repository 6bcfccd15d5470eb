import { describe, expect, it } from 'vitest'
import { notADocument } from './compare/read.ts'
import { sentences, TERMS } from './texts.ts'

const NOTICES: [page: string, reason: string][] = [
  ['# Just a moment...\n\nChecking your browser before you access the site.', 'captcha'],
  ['Please verify you are a human by completing the CAPTCHA below. Press & hold to confirm.', 'captcha'],
  [
    'Our service is not available in your country. Please check the list of supported countries and try again.',
    'not available',
  ],
  ['# 404\n\nThe page you are looking for could not be found. It may have been moved.', 'not found'],
  ['# Access denied\n\nYou do not have permission to view this page. Reference number 18.2f1.', 'access denied'],
  [
    'Something went wrong. An unexpected error has occurred while loading this document. Please reload the page.',
    'error page',
  ],
  [
    '# Welcome back\n\nLog in to continue. Email address. Password. Forgot your password? Continue with Google.',
    'login page',
  ],
  [
    'We value your privacy. We and our partners store information on your device. Accept all cookies or manage.',
    'cookie wall',
  ],
  ['You need to enable JavaScript to run this app.', 'needs a browser'],
  [
    'The document is temporarily unavailable while we are under scheduled maintenance. We will be back.',
    'not available',
  ],
]

/** The same in other languages, as sites write them. */
const NOTICES_ELSEWHERE: [page: string, reason: string][] = [
  [
    'Diese Seite ist derzeit leider nicht verfügbar. Wir arbeiten daran und bitten um etwas Geduld bis morgen früh.',
    'not available',
  ],
  [
    'Wegen Wartungsarbeiten ist unser Shop heute geschlossen. Wir sind in Kürze wieder für Sie da, versprochen.',
    'maintenance',
  ],
  [
    'Ups! Die Seite konnte leider nicht gefunden werden. Zurück zur Startseite oder zur Suche nach Artikeln.',
    'not found',
  ],
  [
    'Notre site web se refait une beauté et revient dans quelques jours avec une nouvelle image. À très bientôt.',
    'maintenance',
  ],
  [
    'Une page demandée ? La page que vous recherchez n’existe plus. Retournez à la page d’accueil du site.',
    'not found',
  ],
  [
    'Ha ocurrido un error inesperado al cargar esta página. Inténtelo de nuevo más tarde o llame al servicio.',
    'error page',
  ],
  [
    'Inicie sesión para continuar. Correo electrónico. Contraseña. ¿Ha olvidado su contraseña? Crear cuenta.',
    'login page',
  ],
  [
    'Utilizziamo i cookie per migliorare la tua esperienza. Scopri di più. Accetta tutti. Rifiuta tutti. Personalizza.',
    'cookie wall',
  ],
  [
    'O site está em manutenção. Voltaremos em breve com novidades para todos os nossos clientes e parceiros.',
    'maintenance',
  ],
  [
    'Deze pagina is tijdelijk niet beschikbaar. Probeer het over een paar minuten nog een keer, of bel ons op.',
    'not available',
  ],
  [
    'Nie znaleziono strony, której szukasz. Wróć na stronę główną albo skorzystaj z wyszukiwarki produktów.',
    'not found',
  ],
]

describe('what is not a document', () => {
  it.each(NOTICES_ELSEWHERE)('%s', (page, reason) => {
    expect(notADocument(page, [])).toBe(reason)
    expect(notADocument(page, [], TERMS)).toBe(reason)
  })

  it.each(NOTICES)('%s', (page, reason) => {
    expect(notADocument(page, [])).toBe(reason)
    expect(notADocument(page, [], TERMS)).toBeDefined()
  })

  it('is seen inside the frame of a page that was a document before', () => {
    const framed = `# Terms of Service\n\nLast updated: March 3, 2025\n\nAn unexpected error occurred. Please try again later.`
    expect(notADocument(framed, [], TERMS)).toBe('error page')
  })

  it('is a page put together from several of which one did not load', () => {
    const other = `# Usage policy\n\n${sentences(30, 'use')}`
    const failed = `# This page isn't available\n\nAn unexpected error has occurred. Try reloading the page.\n\n${other}`
    expect(notADocument(failed, [], `${TERMS}\n\n${other}`)).toBe('part of the page is an error')
    const said = `${TERMS}\n\nSomething went wrong on our side? Tell us, and we make it good.\n\n${other}`
    expect(notADocument(said, [], `${TERMS}\n\n${other}`)).toBeUndefined()
  })

  it('does not include a text that has shrunk to less than a fifth of the text in force', () => {
    const remains =
      'These are the policies that apply to the use of our site and its parts by all our many visitors today.'
    expect(notADocument(remains, [], sentences(30, 'policy'))).toBeUndefined()
  })

  it('includes an empty page, with what its markup says', () => {
    expect(notADocument('', [])).toBe('empty')
    expect(notADocument('', ['needs a browser'])).toBe('needs a browser')
    expect(notADocument('Sign in to Example with your work account', ['login page'])).toBe('login page')
  })

  it('does not include a legal text that speaks of errors, cookies and signing in', () => {
    const text = `${TERMS}\n\nWe use cookies. If an unexpected error occurred or the service is not available in your country, log in to your account and try again later.`
    expect(notADocument(text, [], TERMS)).toBeUndefined()
    expect(notADocument(text, ['login page', 'captcha'], TERMS)).toBeUndefined()
  })

  it.each([
    'We use cookies to keep you signed in and to remember your language. You can delete them in your browser at any time. Some parts of the service do not work without them. We keep them for one year.',
    'When you create an account, you must give us your name and address. You are responsible for what happens under your account, and you must tell us at once when someone else uses it.',
    'You can change your cookie preferences in your browser. We keep what we store for at most one year and share it with nobody, except where the law obliges us to do so.',
  ])('does not include a short document: %s', (text) => {
    expect(notADocument(text, [])).toBeUndefined()
  })

  it.each([
    'Wir nutzen Cookies, damit Sie angemeldet bleiben. Sie können sie in Ihrem Browser löschen. Ohne sie ist die Anmeldung nicht möglich. Wir speichern sie ein Jahr lang.',
    'Vous êtes responsable de votre mot de passe. Nous pouvons interrompre le service pour sa maintenance, et vous en informons. Les conditions s’appliquent dans votre pays.',
    'El usuario es responsable de su contraseña. Podemos suspender el servicio por mantenimiento, y lo anunciamos antes. Las condiciones se aplican en todos los países.',
  ])('does not include a short document in another language: %s', (text) => {
    expect(notADocument(text, [])).toBeUndefined()
  })

  it('does not include a short legal notice', () => {
    const imprint =
      'The publisher of this website is Example SAS, 15 rue des Exemples, 75001 Paris, registered under number 123 456 789. Its director is A. Person. It is hosted by Host Inc.'
    expect(notADocument(imprint, [])).toBeUndefined()
  })
})

describe('a policy that forbids something', () => {
  const policy = (begin: string, count: number) => `# Acceptable Use\n\n${begin}\n\n${sentences(count, 'rule')}`

  it.each([
    'The following is forbidden: sending spam, and selling what you get from us to others.',
    'Access to accounts of others is forbidden. Forbidden content is removed.',
    'You may not bypass a CAPTCHA, nor solve CAPTCHAs with programs.',
    'Our forms are protected by reCAPTCHA, and the privacy policy of Google applies to them.',
  ])('is a document: %s', (begin) => {
    for (const count of [1, 4, 12, 30]) expect(notADocument(policy(begin, count), [])).toBeUndefined()
  })

  it.each([
    ['# Forbidden', 'access denied'],
    ['Error: Forbidden', 'access denied'],
    ['# 403 Forbidden', 'access denied'],
    ['Request forbidden by administrative rules.', 'access denied'],
    ['Access forbidden!', 'access denied'],
    ['Access to this page is forbidden.', 'access denied'],
    ['# CAPTCHA', 'captcha'],
    ['Please solve the CAPTCHA.', 'captcha'],
    ['Please solve\nthe CAPTCHA.', 'captcha'],
    ['To go on, complete this reCAPTCHA.', 'captcha'],
    ['Enter the characters of the CAPTCHA below.', 'captcha'],
    ['Bitte lösen Sie das Captcha, um fortzufahren.', 'captcha'],
    ['Veuillez compléter le captcha pour continuer.', 'captcha'],
    ['Por favor, resuelva el captcha.', 'captcha'],
  ])('is not what an error page says: %s', (said, reason) => {
    const page = `${said}\n\nThe page that you asked for is on our server, and you see it when all of this is done and over.`
    expect(notADocument(page, [])).toBe(reason)
  })
})

describe('the number of an error', () => {
  const IMPRINT =
    'The site is published by Example SAS, 2 rue Hartmann, Issy, with a capital of 20,117 euros, and hosted by Other Ltd.'

  it.each([
    'Error 503',
    'HTTP 500',
    '502 Bad Gateway, the server did not answer in time',
    'Status: 504 for this request',
  ])('says that a page is one: %s', (said) => {
    expect(
      notADocument(
        `# ${said}\n\nThe page that you asked for is shown again when the server is back at work for all.`,
        [],
      ),
    ).toBe('error page')
  })

  it.each([
    'R.C.S. Nanterre B 504 787 565',
    'Call us: +1 403 555 0100',
    'Call us: (404) 555 0100',
    '404 Long Street, Springfield',
    'A capital of 500 euros',
    '503 Long Street, Springfield',
    'Paragraph 502',
    'We ask for $500.',
  ])('is another number in a document: %s', (said) => {
    expect(notADocument(`# Imprint\n\n${IMPRINT}\n\n${said}`, [])).toBeUndefined()
  })
})
