import { expect, it } from 'vitest'
import { isMailAddress, readMailAddress } from '../../../src/lib/text/mail-address.ts'

it.each([
  ['ann@example.com', { name: '', address: 'ann@example.com' }],
  ['Ann Lee <ann@example.com>', { name: 'Ann Lee', address: 'ann@example.com' }],
  ['Ann   <ann@example.com>', { name: 'Ann', address: 'ann@example.com' }],
  ['Zoë<zoe@example.com>', { name: 'Zoë', address: 'zoe@example.com' }],
])('reads %j as a name and an address', (text, address) => {
  expect(readMailAddress(text)).toEqual(address)
})

it.each([
  '',
  'ann',
  'ann@',
  '<ann@example.com>',
  'Ann <ann>',
  'Ann <>',
  'Ann <ann@example.com',
  'Ann ann@example.com>',
  'Ann <ann@example.com> x',
  'x\nAnn <ann@example.com>',
  'Ann "Lee" <ann@example.com>',
  'Ann <Lee> <ann@example.com>',
  'Ann <<ann@example.com>>',
  'ann@example.com, bob@example.com',
  'Ann\r\nBcc: x <ann@example.com>',
])('refuses %j', (text) => {
  expect(readMailAddress(text)).toBeUndefined()
})

it('knows an address by itself', () => {
  expect(['ann@example.com', 'ann+prices@mail.example.com'].map(isMailAddress)).toEqual([true, true])
  expect(['ann', 'Ann <ann@example.com>', 'ann@example.com '].map(isMailAddress)).toEqual([false, false, false])
})
