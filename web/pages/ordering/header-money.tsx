import { useQuery, queryOptions } from '@tanstack/react-query'
import { myDiscountCode } from '#contracts/order-reports'
import { call, CallError } from '../../lib/call'
import { kwacha } from '../../lib/format'
import { takePreloaded } from '../../lib/preloaded-data'
import { creditQuery } from '../../queries/ordering'
import { Badge } from '../../ui/badge'

/** Visible with folded actions; reserves its place. */
export const Credit = () => {
  const balance = useQuery(creditQuery).data?.balance
  return balance ? <span className="money font-semibold">Credit {kwacha(balance)}</span> : null
}

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

/** Null without a code. */
export const discountQuery = queryOptions({
  queryKey: ['ordering', myDiscountCode.path],
  initialData: () => takePreloaded(myDiscountCode),
  queryFn: async ({ signal }) => {
    try {
      return await call(myDiscountCode, { signal })
    } catch (error) {
      if (error instanceof CallError && error.status === 404) return null
      throw error
    }
  },
})
