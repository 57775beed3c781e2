import { useQuery } from '@tanstack/react-query'
import { kwacha } from '../../lib/format'
import { creditQuery, discountsQuery } from '../../queries/ordering'
import { Badge } from '../../ui/badge'

/** Visible with folded actions; reserves its place. */
export const Credit = () => {
  const balance = useQuery(creditQuery).data?.balance
  return balance ? <span className="money font-semibold">Credit {kwacha(balance)}</span> : null
}

export const DiscountBadge = () => {
  const discount = useQuery(discountsQuery).data?.account
  return discount ? (
    <span className="px-3 py-2 wrap-anywhere [&>.badge]:whitespace-normal">
      <Badge tone="accent" icon="tag">
        {discount.code}: {discount.discountPercentage}% off
      </Badge>
    </span>
  ) : null
}
