import { Card } from '../../ui/card'

const steps = [
  ['Add children', 'Register each child with name and grade.'],
  ['Browse the menu', 'See what is cooked on each school day.'],
  ['Select and order', 'Choose protein and side, then place the order.'],
] as const

/** The three steps of an order. */
export const HowToCard = () => (
  <Card className="px-3 py-3 md:px-6 md:py-4">
    <h2 className="px-1 font-display text-lg font-semibold">How to Order Meals</h2>
    <ol className="mt-2 grid grid-cols-3 gap-2 md:gap-x-6">
      {steps.map(([title, text], index) => (
        <li key={title} className="flex flex-col items-center gap-1 sm:flex-row sm:items-start sm:gap-3">
          <span className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-100 text-sm font-bold text-accent-800">
            {index + 1}
          </span>
          <p className="text-sm leading-tight max-sm:text-center">
            <strong className="block sm:leading-7">{title}</strong>
            <span className="hidden text-muted sm:block">{text}</span>
          </p>
        </li>
      ))}
    </ol>
  </Card>
)
