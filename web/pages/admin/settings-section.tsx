import { useSearchParams } from 'react-router-dom'
import { lazyComponent } from '../../lib/lazy'
import { Tabs } from '../../ui/tabs'
import { useLeave } from '../../ui/unsaved'

const tabs = [
  { key: 'discount-codes', label: 'Discount Codes' },
  { key: 'order-settings', label: 'Order Settings' },
  { key: 'payment-settings', label: 'Payment Settings' },
  { key: 'communication', label: 'Communication' },
  { key: 'messages', label: 'Messages' },
  { key: 'security', label: 'Security' },
] as const
type TabKey = (typeof tabs)[number]['key']

const screens = {
  'discount-codes': lazyComponent(() =>
    import('../../features/discount-codes/discount-codes').then((m) => m.DiscountCodes),
  ),
  'order-settings': lazyComponent(() =>
    import('../../features/order-settings/order-settings').then((m) => m.OrderSettings),
  ),
  'payment-settings': lazyComponent(() =>
    import('../../features/payment-settings/payment-settings').then((m) => m.PaymentSettings),
  ),
  security: lazyComponent(() =>
    import('../../features/security-settings/security-settings').then((m) => m.SecuritySettings),
  ),
  messages: lazyComponent(() =>
    import('../../features/messages/message-settings').then((m) => m.MessageSettings),
  ),
  communication: lazyComponent(() =>
    import('../../features/communication/communication-settings').then((m) => m.CommunicationSettings),
  ),
}

/** Default: discount codes. */
export const SettingsSection = () => {
  const [search, setSearch] = useSearchParams()
  const current = tabs.find((tab) => tab.key === search.get('tab')) ?? tabs[0]
  const leave = useLeave()
  const Screen = screens[current.key]
  const choose = (key: TabKey) => {
    const next = new URLSearchParams(search)
    // The other tab's list state does not apply.
    for (const key of ['page', 'search', 'active', 'sort', 'direction']) next.delete(key)
    if (key === tabs[0].key) next.delete('tab')
    else next.set('tab', key)
    setSearch(next, { replace: true })
  }
  return (
    // On a phone and beside the menu on a tablet six tabs stand in two rows.
    <div className="[&_[role=tab]]:min-w-min md:max-lg:[&_[role=tab]]:px-1 md:max-lg:[&_[role=tab]]:whitespace-normal max-lg:[&_[role=tablist]]:grid md:max-lg:[&_[role=tablist]]:grid-cols-[auto_auto_auto] max-md:[&_[role=tablist]]:grid-cols-[repeat(auto-fit,minmax(6.5rem,1fr))]">
      <Tabs label="Settings" tabs={tabs} current={current.key} onChange={(key) => leave(() => choose(key))}>
        <Screen />
      </Tabs>
    </div>
  )
}
