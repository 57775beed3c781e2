import { kwacha } from '../lib/format'

/** A price before the discount, struck through; what is to pay stands beside it. */
export const OldPrice = ({ price, className }: { price: number | string; className: string }) => (
  <s className={className}>
    <span className="sr-only">Instead of </span>
    {kwacha(price)}
  </s>
)
