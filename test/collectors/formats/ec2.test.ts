import { describe, expect, it } from 'vitest'
import { SnapshotError } from '../../../src/collectors/index.ts'
import { ignored, lines, parseAs, unreadable } from '../support.ts'

const parse = parseAs('ec2-on-demand')
const machine = (instance: string, price: string, location: string, more: object = {}) => ({
  [`${instance.replace('.', ' ')} ${location.replace(/[()]/g, '')} Linux`]: {
    rateCode: 'PEEZJDSDVW22Q4FW.JRTCKXETXF.6YS6EN2CT7', price, Location: location, 'Instance Family': 'GPU instance', vCPU: '96',
    'Instance Type': instance, Memory: '1152 GiB', Storage: '8 x 1000 NVMe SSD', 'plc:OperatingSystem': 'Linux', 'plc:InstanceFamily': 'Accelerated Computing',
    'Operating System': 'Linux', 'Pre Installed S/W': 'NA', 'License Model': 'No License required', ...more,
  },
}) // biome-ignore format: as recorded
const list = (location: string, ...machines: object[]) => ({
  manifest: { serviceId: 'ec2', currencyCode: 'USD', source: 'ec2-ondemand-without-sec-sel' },
  sets: {},
  regions: { [location]: Object.assign({}, ...machines) },
})
const VIRGINIA = 'US East (N. Virginia)'
const options = { location: VIRGINIA, region: 'us-east-1', families: ['p', 'g', 'gr', 'trn', 'inf', 'dl'] }

describe('the list behind Amazon’s page of EC2 prices', () => {
  /** Rows of lists of 2024-11-14 and 2026-08-09, and prices of 2026-07-27 and 2026-10, as public repositories quote them. */
  it.each([
    ['EU (Stockholm)', 'eu-north-1', machine('m6in.large', '0.1480000000', 'EU (Stockholm)'), undefined, 'm6in.large', '0.148'],
    ['Asia Pacific (Tokyo)', 'ap-northeast-1', machine('g4dn.xlarge', '0.7100000000', 'Asia Pacific (Tokyo)'), ['g'], 'g4dn.xlarge', '0.71'],
    [VIRGINIA, 'us-east-1', machine('m5.large', '0.0960000000', VIRGINIA), undefined, 'm5.large', '0.096'],
    [VIRGINIA, 'us-east-1', machine('p4d.24xlarge', '21.9576420000', VIRGINIA), ['p'], 'p4d.24xlarge', '21.957642'],
  ])('gives machines of %s by the hour', (location, region, row, families, instance, price) => {
    const read = parse(list(location, row), { options: { location, region, families } })
    expect(lines(read)).toEqual([`${instance} instance_hours usd_per_instance_hour {"region":"${region}"} ${price}`])
    expect(read.providers).toEqual([{ provider: 'aws', name: 'Amazon Web Services' }])
  }) // biome-ignore format: one thing after another

  it('gives the declared families alone, which are the letters before the generation', () => {
    const names = ['p6-b200.48xlarge', 'g6e.xlarge', 'gr6.4xlarge', 'trn1n.32xlarge', 'inf2.xlarge', 'dl1.24xlarge']
    const others = ['m5.large', 'u-3tb1.56xlarge', 'c7i-flex.large', 'im4gn.large']
    const read = parse(list(VIRGINIA, ...[...names, ...others].map((name) => machine(name, '1', VIRGINIA))), {
      options,
    })
    expect(read.observations.map(({ resource }) => resource)).toEqual(names)
    expect(ignored(read)).toEqual({ 'a machine of a family that is not declared': 4 })
  })

  it('lists without a price what it cannot read, and tells systems and software apart', () => {
    const read = parse(
      list(
        VIRGINIA,
        machine('p3.2xlarge', '0.0000000000', VIRGINIA),
        machine('p3.8xlarge', 'N/A', VIRGINIA),
        machine('p3.16xlarge', '1', 'US East (Ohio)'),
        machine('p4d.24xlarge', '1', VIRGINIA, { 'License Model': 'Bring your own license' }),
        machine('p5.48xlarge', '7', VIRGINIA, { 'Operating System': 'Windows', 'Pre Installed S/W': 'SQL Std' }),
        { odd: 7 },
      ),
      { options },
    )
    expect(lines(read)).toEqual([
      'p5.48xlarge instance_hours usd_per_instance_hour {"region":"us-east-1","operatingSystem":"windows","edition":"SQL Std"} 7',
    ])
    expect(unreadable(read)).toEqual([
      'p3.2xlarge instance_hours {"region":"us-east-1"} = "0.0000000000"',
      'p3.8xlarge instance_hours {"region":"us-east-1"} = "N/A"',
      'p3.16xlarge = a machine elsewhere: US East (Ohio)',
      'p4d.24xlarge = a machine with an unknown licence',
    ])
  })

  const good = list(VIRGINIA, machine('p5.48xlarge', '55.04', VIRGINIA))
  it.each<[string, unknown, RegExp, object?]>([
    ['a page that refuses', '<html>403', /is a web page/],
    ['another document', { prices: [] }, /has no `regions` or no `manifest`/],
    ['the list of another location', list('US East (Ohio)', machine('p5.48xlarge', '1', 'US East (Ohio)')), /is of US East \(Ohio\), not of US East \(N. Virginia\)/],
    ['several locations', { ...good, regions: { ...good.regions, 'US East (Ohio)': {} } }, /is of US East \(N. Virginia\), US East \(Ohio\), not/],
    ['another currency', { ...good, manifest: { currencyCode: 'CNY' } }, /is in CNY, not in US dollars/],
    ['no machine of these families', list(VIRGINIA, machine('m5.large', '1', VIRGINIA)), /no prices at all/],
    ['no region that is declared', good, /options.location and options.region must say/, { families: ['p'] }],
    ['families that are not a list', good, /options.families must be a list/, { ...options, families: 'p' }],
  ])('quarantines %s, and says why', (_what, data, reason, given = options) => {
    const read = () => parse(data, { options: given as Record<string, unknown> })
    expect(read).toThrow(SnapshotError)
    expect(read).toThrow(reason)
  }) // biome-ignore format: one thing after another
})
