import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { alternativeWays, promptWays } from '../../features/cart/checkout/checkout'
import { type Choice, rememberPayBy } from '../../features/cart/send-cart'
import { payByLabel } from '../../lib/format'
import { paths } from '../../lib/paths'
import { waysToPayQuery } from '../../queries/payments'
import { Button } from '../../ui/button'

/** Links back to the cart with another way chosen. */
export const PayAgain = () => {
  const navigate = useNavigate()
  const { data } = useQuery(waysToPayQuery)
  const pay = (choice: Choice) => {
    rememberPayBy(choice)
    void navigate(paths.tab('cart'), { replace: true })
  }
  return (
    <>
      <Button onClick={() => pay('card')}>Try again</Button>
      {data
        ? [...promptWays(data), ...alternativeWays(data)].map((way) => (
            <Button key={way} variant="secondary" onClick={() => pay(way)}>
              {`Pay with ${payByLabel(way)}`}
            </Button>
          ))
        : null}
    </>
  )
}
