import { describe, expect, it } from 'vitest'
import { command } from '../support/command.ts'
import { newcomer } from '../support/installation.ts'

describe('pricetape doctor', () => {
  it('finds what is there, and says how to get what is not', async () => {
    const here = await newcomer()
    const { code, said } = await command({ ...here.env, PATH: '/usr/bin:/bin' }, 'doctor', '--json')
    await here.remove()
    const { findings } = JSON.parse(said) as {
      findings: { name: string; ok: boolean; detail: string; remedy?: string }[]
    }
    const byName = new Map(findings.map((item) => [item.name, item]))
    expect(code).toBe(0)
    expect(byName.get('Node')?.ok).toBe(true)
    expect(byName.get('PostgreSQL')?.ok).toBe(true)
    expect(byName.get('API port')?.ok).toBe(true)
    expect(byName.get('Chromium')?.detail).toMatch(/in a namespace without a network|its settings alone/)
    for (const item of findings.filter((found) => !found.ok)) expect(item.remedy, item.name).toMatch(/\w/)
  })
})
