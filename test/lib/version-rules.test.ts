import { expect, test } from 'vitest'
import { isNewerVersion } from '../../src/lib/process/version-rules.ts'

test.each([
  ['1.0.1', '1.0.0'],
  ['1.10.0', '1.9.9'],
  ['2.0.0', '1.99.99'],
  ['1.0.0', '1.0.0-rc.1'],
  ['1.0.0-rc.2', '1.0.0-rc.1'],
  ['1.0.0-rc.10', '1.0.0-rc.9'],
  ['1.0.0-rc.1', '1.0.0-beta.3'],
  ['1.0.0-rc.1', '1.0.0-rc'],
  ['1.0.0-rc.a', '1.0.0-rc.2'],
  ['1.0.0-rc.1-b', '1.0.0-rc.1-a'],
  ['1.0.0-1a', '1.0.0-10'],
  ['1.0.0-10', '1.0.0-9'],
  ['1.0.0-a1', '1.0.0-2'],
  ['1.0.1', '1.0'],
  ['1.0.1-rc.1', '1.0.0'],
  ['1.0.1-alpha', '1.0.0-beta'],
  ['1.0.0+1', '1.0.0-rc.1+2'],
])('%s is newer than %s', (newer, older) => {
  expect([isNewerVersion(newer, older), isNewerVersion(older, newer), isNewerVersion(newer, newer)]).toEqual([
    true,
    false,
    false,
  ])
})

test('what names a build makes no version newer', () => {
  expect(isNewerVersion('1.0.0+2', '1.0.0+1')).toBe(false)
  expect(isNewerVersion('1.0.0-rc.1+2', '1.0.0-rc.1')).toBe(false)
  expect(isNewerVersion('1.0.0+a-b', '1.0.0')).toBe(false)
  expect(isNewerVersion('1.0.0', '1.0.0+a-b')).toBe(false)
})
