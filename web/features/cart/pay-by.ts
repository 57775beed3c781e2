import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PayWay } from '#contracts/ordering'
import { bypassQuery } from './api'
import { waysBeside } from './checkout/checkout'

export type Choice = 'card' | PayWay

// The choice is the device's: a shared phone pays from one wallet.
const rememberedKey = 'tuckshop-pay-by'

/** The next cart on this device is asked for in this way. */
export const rememberPayBy = (choice: Choice): void => localStorage.setItem(rememberedKey, choice)

/** How the cart is to be paid for: what may be chosen, none where nothing is asked, and what is chosen. */
export const usePayBy = (toPay: number) => {
  const { data } = useQuery({ ...bypassQuery, enabled: toPay > 0 })
  const ways = data && toPay > 0 ? waysBeside(data) : []
  const choices: Choice[] = ways.length > 0 ? ['card', ...ways] : []
  const [picked, setPicked] = useState(() => localStorage.getItem(rememberedKey))
  const choose = (choice: Choice) => {
    rememberPayBy(choice)
    setPicked(choice)
  }
  // What credit covers is asked for by card, which finds that there is nothing to pay.
  const chosen = choices.find((choice) => choice === picked) ?? (toPay === 0 ? 'card' : null)
  return { choices, chosen, choose }
}
