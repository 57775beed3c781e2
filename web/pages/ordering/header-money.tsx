import { useQuery } from '@tanstack/react-query'
import { creditQuery, discountQuery } from '../../features/orders/family-money'
import { kwacha } from '../../lib/format'
import { Badge } from '../../ui/badge'

/** What the family may spend, also where the actions are folded; beside the name, so that it moves nothing as it comes. */
export const Credit = () => {
  const balance = useQuery(creditQuery).data?.balance
  return balance ? <span className="money font-semibold">Credit {kwacha(balance)}</span> : null
}

/** The discount code of this account, where it has one. */
export const DiscountBadge = () => {
  const discount = useQuery(discountQuery).data
  return discount ? (
    <span className="px-3 py-2 wrap-anywhere [&>.badge]:whitespace-normal">
      <Badge tone="accent" icon="tag">
        {discount.code}: {discount.discountPercentage}% off
      </Badge>
    </span>
  ) : null
}
