import { useState } from 'react'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { closeHowTo, isHowToClosed } from './how-to-closed'

const steps = [
  ['Add children', 'Register each child with name and grade.'],
  ['Browse the menu', 'See what is cooked on each school day.'],
  ['Select and order', 'Choose protein and side, then place the order.'],
] as const

type HowToCardProps = {
  userId: number
  /** Takes the focus after closing. */
  onClosed: () => void
}

/** Shown until dismissed for this account and device. */
export const HowToCard = ({ userId, onClosed }: HowToCardProps) => {
  const [closed, setClosed] = useState(() => isHowToClosed(userId))
  if (closed) return null
  const close = () => {
    closeHowTo(userId)
    setClosed(true)
    onClosed()
  }
  return (
    <Card className="px-3 py-2 md:px-6 md:py-4">
      <div className="flex items-center justify-between gap-3">
        <h2 className="px-1 font-display text-lg leading-tight font-semibold">How to Order Meals</h2>
        <Button variant="ghost" className="-mr-1 px-3!" onClick={close}>
          Got it
        </Button>
      </div>
      <ol className="mt-1 grid gap-2 sm:grid-cols-3 md:gap-x-6">
        {steps.map(([title, text], index) => (
          <li key={title} className="flex items-start gap-3">
            <span className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-100 text-sm font-bold text-accent-800">
              {index + 1}
            </span>
            <p className="text-sm leading-tight">
              <strong className="block leading-7">{title}</strong>
              <span className="hidden text-muted sm:block">{text}</span>
            </p>
          </li>
        ))}
      </ol>
    </Card>
  )
}
