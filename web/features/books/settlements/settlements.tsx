import { useSearchParams } from 'react-router-dom'
import { addressWith } from '../../../lib/list-address'
import { SettlementList } from './settlement-list'
import { SettlementScreen } from './settlement-screen'

/** What the card provider has settled, compared with the books; which settlement is open is in the address. */
export const Settlements = () => {
  const [address, setAddress] = useSearchParams()
  const open = (id: number | null) =>
    setAddress(addressWith(address, { settlement: id === null ? null : String(id), show: null }))
  const id = Number(address.get('settlement'))
  return Number.isInteger(id) && id > 0 ? (
    <SettlementScreen id={id} onBack={() => open(null)} />
  ) : (
    <SettlementList onOpen={open} />
  )
}
