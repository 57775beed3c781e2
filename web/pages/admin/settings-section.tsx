import type { ComponentType } from 'react'
import { useSearchParams } from 'react-router-dom'
import { ComingSection } from '../../features/admin-shell/coming-section'
import { lazyPart } from '../../lib/lazy'
import { Tabs } from '../../ui/tabs'

const tabs = [
  { key: 'discount-codes', label: 'Discount Codes' },
  { key: 'order-settings', label: 'Order Settings' },
  { key: 'payment-settings', label: 'Payment Settings' },
  { key: 'communication', label: 'Communication' },
] as const
type TabKey = (typeof tabs)[number]['key']

/** The tabs that have their screen, each fetched when it is first opened. */
const screens: Partial<Record<TabKey, ComponentType>> = {
  'payment-settings': lazyPart(() =>
    import('../../features/payment-settings/payment-settings').then((m) => m.PaymentSettings),
  ),
}

/** Settings; the tab is in the address, by default the discount codes. */
export const SettingsSection = () => {
  const [search, setSearch] = useSearchParams()
  const current = tabs.find((tab) => tab.key === search.get('tab')) ?? tabs[0]
  const Screen = screens[current.key]
  const choose = (key: TabKey) => {
    const next = new URLSearchParams(search)
    if (key === tabs[0].key) next.delete('tab')
    else next.set('tab', key)
    setSearch(next, { replace: true })
  }
  return (
    // On a phone "Communication" is wider than a quarter of the page, on a tablet four tabs are wider than all of it.
    <div className="md:max-lg:[&_[role=tab]]:px-2 [&_[role=tab]]:min-w-min">
      <Tabs label="Settings" tabs={tabs} current={current.key} onChange={choose}>
        {Screen ? <Screen /> : <ComingSection label={current.label} />}
      </Tabs>
    </div>
  )
}
