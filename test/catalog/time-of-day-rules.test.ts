import { describe, expect, it } from 'vitest'
import { canonicalTimeOfDay } from '../../src/catalog/clock/time-of-day-rules.ts'

describe('when a price holds', () => {
  it.each([
    ['00:30Z-16:30Z', '00:30Z-16:30Z'],
    ['16:30Z-00:30Z', '16:30Z-00:30Z'],
    ['  06:00Z-10:00Z,01:00Z-04:00Z ', '01:00Z-04:00Z,06:00Z-10:00Z'],
    ['Mo,Tu,We,Th,Fr   01:00Z-04:00Z', 'Mo-Fr 01:00Z-04:00Z'],
    ['Su,Sa 00:00Z-24:00Z', 'Sa,Su 00:00Z-24:00Z'],
    ['Fr-Mo 00:00Z-24:00Z', 'Mo,Fr-Su 00:00Z-24:00Z'],
    ['Mo-Su 01:00Z-04:00Z', '01:00Z-04:00Z'],
    ['Mo-Su,PH 01:00Z-04:00Z', '01:00Z-04:00Z'],
    ['!PH:CN,Mo-Fr 14:00-18:00,09:00-12:00 Asia/Shanghai', 'Mo-Fr,!PH:CN 09:00-12:00,14:00-18:00 Asia/Shanghai'],
    ['PH,Sa,Su 00:00-24:00 Asia/Shanghai', 'Sa,Su,PH 00:00-24:00 Asia/Shanghai'],
    ['!PH 09:00-12:00 Europe/Berlin', '!PH 09:00-12:00 Europe/Berlin'],
    ['PH:FR,!PH:DE 09:00-12:00 Europe/Berlin', '!PH:DE,PH:FR 09:00-12:00 Europe/Berlin'],
    ['Mo-Su,!PH 09:00-12:00 Europe/Berlin', 'Mo-Su,!PH 09:00-12:00 Europe/Berlin'],
  ])('%j is written %j', (text, canonical) => {
    expect(canonicalTimeOfDay(text)).toBe(canonical)
    expect(canonicalTimeOfDay(canonical)).toBe(canonical)
  })

  it.each([
    [''],
    ['at night'],
    ['09:00-12:00'],
    ['09:00Z-12:00'],
    ['09:00Z-12:00Z Asia/Shanghai'],
    ['09:00-12:00 Nowhere/City'],
    ['25:00Z-26:00Z'],
    ['9:00Z-12:00Z'],
    ['09:00Z-09:00Z'],
    ['Mon-Fri 09:00Z-12:00Z'],
    ['Mo-Fr-Su 09:00Z-12:00Z'],
    ['PH:china 09:00Z-12:00Z'],
    ['Mo-Fr'],
    ['Mo-Fr Su 09:00Z-12:00Z'],
    ['09:00-12:00 Asia/Shanghai Europe/Berlin'],
    ['09:00-12:00 GMT'],
    ['09:00Z-12:00Z,09:00Z-12:00Z'],
    ['09:00Z-12:00Z,13:00-14:00'],
  ])('%j is refused', (text) => {
    expect(canonicalTimeOfDay(text)).toBeUndefined()
  })
})
