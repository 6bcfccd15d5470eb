import { isObject, type JsonObject, textAt } from '../../reading/json.ts'
import { isOfFamilies } from './ec2-families.ts'

/** What aws-product.ts and aws-tokens.ts read of a product's attributes: the others are not kept. */
const ATTRIBUTES = [
  'regionCode',
  'instanceType',
  'model',
  'titanModel',
  'inferenceType',
  'feature',
  'servicecode',
  'usagetype',
  'capacitystatus',
  'operatingSystem',
  'tenancy',
  'preInstalledSw',
  'licenseModel',
  'servicename',
  'serviceTier',
  'service_tier',
]
const WIDTH = ATTRIBUTES.length + 1

/**
 * The products of an offer file, which come before the terms that they are offered on. A large file has millions, so
 * each is kept as numbers of texts: the texts repeat.
 */
export class AwsProducts {
  private readonly index = new Map<string, number>()
  private readonly numbers = new Map<string, number>()
  private readonly texts: (string | undefined)[] = [undefined]
  private facts = new Uint32Array(1_024 * WIDTH)
  /** Skus of what is not of the declared families of machines: they are known, and nothing else of them is kept. */
  private readonly leftOut = new Set<string>()
  private readonly isWanted: (instance: string) => boolean

  constructor(families?: unknown) {
    this.isWanted = isOfFamilies(families)
  }

  add(sku: string, product: unknown): void {
    if (!isObject(product) || !isObject(product.attributes)) return
    const { attributes } = product
    if (!this.isWanted(textAt(attributes, 'instanceType') ?? '')) {
      this.leftOut.add(sku)
      return
    }
    const at = (this.index.get(sku) ?? this.index.size) * WIDTH
    this.index.set(sku, at / WIDTH)
    if (at + WIDTH > this.facts.length) this.growTo(2 * (at + WIDTH))
    this.facts[at] = this.numberOf(textAt(product, 'productFamily'))
    for (const [i, name] of ATTRIBUTES.entries()) this.facts[at + 1 + i] = this.numberOf(textAt(attributes, name))
  }

  isLeftOut(sku: string): boolean {
    return this.leftOut.has(sku)
  }

  /** Returns what is kept of a product; undefined for one that the file does not describe. */
  get(sku: string): JsonObject | undefined {
    const index = this.index.get(sku)
    if (index === undefined) return undefined
    const [family, ...attributes] = this.facts.subarray(index * WIDTH, (index + 1) * WIDTH)
    return {
      productFamily: this.texts[family!],
      attributes: Object.fromEntries(ATTRIBUTES.map((name, i) => [name, this.texts[attributes[i]!]])),
    }
  }

  private numberOf(text: string | undefined): number {
    if (text === undefined) return 0
    const known = this.numbers.get(text)
    if (known !== undefined) return known
    this.numbers.set(text, this.texts.length)
    return this.texts.push(text) - 1
  }

  private growTo(length: number): void {
    const larger = new Uint32Array(length)
    larger.set(this.facts)
    this.facts = larger
  }
}
