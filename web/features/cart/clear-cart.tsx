import { Suspense, useState } from 'react'
import { lazyPart } from '../../lib/lazy'
import { Button } from '../../ui/button'

const ConfirmDialog = lazyPart(() => import('../../ui/confirm-dialog').then((m) => m.ConfirmDialog))

/** Empties the cart, after asking: weeks of choices may lie in it. */
export const ClearCart = ({ onClear }: { onClear: () => void }) => {
  const [asked, setAsked] = useState(false)
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
            All meals for all children are taken out of the cart.
          </ConfirmDialog>
        </Suspense>
      ) : null}
    </>
  )
}
