import { useParams } from 'react-router-dom'
import { ReceiptScreen } from '../features/receipts/receipt-screen'

/** A receipt or a credit note at its own address. */
export const ReceiptPage = () => {
  const { number = '' } = useParams()
  return <ReceiptScreen key={number} number={number} />
}
