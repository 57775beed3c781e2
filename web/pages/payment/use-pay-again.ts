import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { bypassQuery } from '../../features/cart/api'
import { waysBeside } from '../../features/cart/checkout/checkout'
import { type Choice, rememberPayBy } from '../../features/cart/pay-by'
import type { PayAgain } from '../../features/payment/verdict-screen'
import { payByLabel } from '../../lib/pay-by'
import { paths } from '../../lib/paths'

/** How the cart that a card was declined for can be paid for: each leads back to it with that way chosen. */
export const usePayAgain = (isDeclined: boolean): PayAgain[] => {
  const navigate = useNavigate()
  const { data } = useQuery({ ...bypassQuery, enabled: isDeclined })
  if (!isDeclined) return []
  const pay = (label: string, choice: Choice): PayAgain => ({
    label,
    onPay: () => {
      rememberPayBy(choice)
      void navigate(paths.tab('cart'), { replace: true })
    },
  })
  const others = data ? waysBeside(data) : []
  return [pay('Try again', 'card'), ...others.map((way) => pay(`Pay with ${payByLabel(way)}`, way))]
}
