import type { PricingTier } from '../../../catalog/schema.ts'
import { type PriceCollector, SnapshotError } from '../../collector.ts'
import { isObject, type JsonObject, pointer, readJson, textAt } from '../../reading/json.ts'
import { type Observations, startObservations } from '../../reading/observations.ts'
import { isZero, type Quote } from '../../reading/quote-rules.ts'
import { isOfFamilies } from './ec2-families.ts'

const PROVIDER = 'aws'

/**
 * The list behind Amazon's own page of EC2 prices (b0.p.awsstatic.com … ec2-ondemand-without-sec-sel/LOCATION/SYSTEM):
 * machines of one location on demand. `options.location` is its name there, `options.region` its code.
 */
export const ec2: PriceCollector = {
  format: 'ec2-on-demand',
  parserVersion: 1,
  parse(bytes, { source: { options } }) {
    const { location, region } = options
    if (typeof location !== 'string' || typeof region !== 'string')
      throw new SnapshotError('options.location and options.region must say where these machines are.')
    const answer = readJson(bytes)
    const { manifest, regions } = isObject(answer) ? answer : {}
    if (!isObject(regions) || !isObject(manifest))
      throw new SnapshotError('The answer has no `regions` or no `manifest`: the format changed.')
    if (manifest.currencyCode !== 'USD')
      throw new SnapshotError(`The list is in ${manifest.currencyCode}, not in US dollars.`)
    const machines = regions[location]
    if (Object.keys(regions).length !== 1 || !isObject(machines))
      throw new SnapshotError(`The list is of ${Object.keys(regions).join(', ') || 'no location'}, not of ${location}.`)
    const observations = startObservations()
    observations.provider(PROVIDER, 'Amazon Web Services')
    const isWanted = isOfFamilies(options.families)
    for (const [key, machine] of Object.entries(machines))
      readMachine(observations, machine, { location, region, isWanted, at: ['regions', location, key] })
    return observations.done()
  },
}

type Place = { location: string; region: string; isWanted: (instance: string) => boolean; at: string[] }

function readMachine(observations: Observations, machine: unknown, { location, region, isWanted, at }: Place) {
  const shown = at.at(-1)!
  const instance = isObject(machine) ? textAt(machine, 'Instance Type') : undefined
  if (!isObject(machine) || !instance) return observations.ignore('a machine without a name', shown)
  if (!isWanted(instance)) return observations.ignore('a machine of a family that is not declared', shown)
  if (machine.Location !== location)
    return observations.unpriced(PROVIDER, instance, `a machine elsewhere: ${machine.Location}`, pointer(...at))
  const tier = tierOf(machine, region)
  if (!tier) return observations.unpriced(PROVIDER, instance, 'a machine with an unknown licence', pointer(...at))
  const quoted: Quote = {
    provider: PROVIDER, resource: instance, dimension: 'instance_hours', amount: machine.price, tier,
    category: textAt(machine, 'Instance Family'), locator: pointer(...at, 'price'),
  } // biome-ignore format: one thing after another
  if (isZero(quoted.amount)) observations.zero(quoted, 'a machine for nothing: its price is missing')
  else observations.price(quoted)
}

function tierOf(machine: JsonObject, region: string): PricingTier | undefined {
  const [system, software, licence] = ['Operating System', 'Pre Installed S/W', 'License Model'].map((key) =>
    textAt(machine, key),
  )
  if (licence !== undefined && licence !== 'No License required') return undefined
  return {
    region,
    ...(system && system !== 'Linux' && { operatingSystem: system.toLowerCase() }),
    ...(software && software !== 'NA' && { edition: software }),
  }
}
