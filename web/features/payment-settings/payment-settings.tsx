import { useQuery } from '@tanstack/react-query'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { QueryFaces } from '../../ui/query-faces'
import { SkeletonLines } from '../../ui/skeleton'
import { bypassQuery } from './api'
import { PaymentSettingsForm } from './payment-settings-form'

/** Settings, Payment Settings: the alternative payments. */
export const PaymentSettings = () => {
  const bypass = useQuery(bypassQuery)
  return (
    <Card>
      <CardHeading title="Payment Settings" hint="Mobile money and bank transfer instead of card payments" />
      <CardBody>
        <QueryFaces
          query={bypass}
          failure="Failed to fetch payment bypass settings"
          waiting={<SkeletonLines lines={4} />}
        >
          {(saved) => <PaymentSettingsForm saved={saved} />}
        </QueryFaces>
      </CardBody>
    </Card>
  )
}
