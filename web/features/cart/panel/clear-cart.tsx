import { Suspense, useEffect, useState } from 'react'
import { counted } from '../../../lib/format'
import { lazyPart } from '../../../lib/lazy'
import { Button } from '../../../ui/button'

const loadDialog = () => import('../../../ui/confirm-dialog').then((m) => m.ConfirmDialog)
const ConfirmDialog = lazyPart(loadDialog)

/** Empties the cart, after asking: weeks of choices may lie in it. */
export const ClearCart = ({ meals, onClear }: { meals: number; onClear: () => void }) => {
  const [asked, setAsked] = useState(false)
  // The question can then also be asked without a connection.
  useEffect(() => void loadDialog().catch(() => undefined), [])
  return (
    <>
      <Button variant="ghost" icon="trash" onClick={() => setAsked(true)}>
        Clear Cart
      </Button>
      {asked ? (
        <Suspense>
          <ConfirmDialog
            open
            title="Clear the cart?"
            confirm="Clear Cart"
            cancel="Keep Meals"
            danger
            onConfirm={onClear}
            onClose={() => setAsked(false)}
          >
            {counted(meals, 'meal is', 'meals are')} taken out of the cart. What is ordered already stays
            ordered.
          </ConfirmDialog>
        </Suspense>
      ) : null}
    </>
  )
}
