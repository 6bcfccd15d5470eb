import { describe, expect, it } from 'vitest'
import { readSmtpUrl } from '../../src/lib/http/smtp-url.ts'

describe('the address of a mail server', () => {
  it.each([
    ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, tls: 'starttls' }],
    ['smtp://mail.example.com:25/', { host: 'mail.example.com', port: 25, tls: 'starttls' }],
    ['smtps://mail.example.com', { host: 'mail.example.com', port: 465, tls: 'implicit' }],
    ['smtp://10.0.0.7:25', { host: '10.0.0.7', port: 25, tls: 'starttls' }],
    ['smtp://localhost:1025', { host: 'localhost', port: 1025, tls: 'offered' }],
    ['smtp://127.0.0.1:1025', { host: '127.0.0.1', port: 1025, tls: 'offered' }],
    ['smtp://[::1]:1025', { host: '::1', port: 1025, tls: 'offered' }],
    ['smtps://localhost', { host: 'localhost', port: 465, tls: 'implicit' }],
    ['smtp://localhost.example.com', { host: 'localhost.example.com', port: 587, tls: 'starttls' }],
    ['smtp://127.1.22.133', { host: '127.1.22.133', port: 587, tls: 'offered' }],
    ['smtp://128.0.0.1', { host: '128.0.0.1', port: 587, tls: 'starttls' }],
    ['smtp://127.0.0.1.example.com', { host: '127.0.0.1.example.com', port: 587, tls: 'starttls' }],
    ['smtp://my-localhost', { host: 'my-localhost', port: 587, tls: 'starttls' }],
    ['smtp://[::1:1]', { host: '::1:1', port: 587, tls: 'starttls' }],
    [
      'smtp://user@mail.example.com',
      { host: 'mail.example.com', port: 587, tls: 'starttls', auth: { user: 'user', pass: '' } },
    ],
    [
      'smtps://a%40b:p%3A%2F@mail.example.com',
      { host: 'mail.example.com', port: 465, tls: 'implicit', auth: { user: 'a@b', pass: 'p:/' } },
    ],
    ['smtp://u:p@localhost:1025', { host: 'localhost', port: 1025, tls: 'offered', auth: { user: 'u', pass: 'p' } }],
  ])('%s says how it is reached', (text, server) => {
    expect(readSmtpUrl(text)).toEqual(server)
  })

  it.each([
    ['mail.example.com:587'],
    ['https://mail.example.com'],
    ['smtp://'],
    ['smtp://mail.example.com/path'],
    ['smtp://mail.example.com?ignoreTLS=true'],
    ['smtps://mail.example.com?tls.rejectUnauthorized=false'],
    ['smtp://:password@mail.example.com'],
    ['smtp://%zz@mail.example.com'],
    ['smtp://user:%zz@mail.example.com'],
    ['smtp://mail.example.com#part'],
    ['smtp:mail.example.com'],
    ['no address'],
  ])('%s is refused', (text) => {
    expect(readSmtpUrl(text)).toBeUndefined()
  })
})
