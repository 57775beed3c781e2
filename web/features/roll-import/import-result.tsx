import { useState } from 'react'
import { counted, wholeNumber } from '../../lib/format'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Notice } from '../../ui/notice'
import type { RenderLetters, Result } from './import-draft'
import { ChildNames } from './child-names'
import { useFocusFirst } from './use-focus-first'

type ImportResultProps = { result: Result; letters: RenderLetters; onAnother: () => void }

/** What became of a list, and the letters for the families that can now claim their children. */
export const ImportResult = ({ result, letters, onAnother }: ImportResultProps) => {
  const { added, changed, left, leftOut, kept } = result
  const heading = useFocusFirst<HTMLSpanElement>()
  const [isPrinted, setPrinted] = useState(result.codes.length === 0)
  const [asked, setAsked] = useState(false)
  return (
    <Card>
      <CardHeading
        title={
          <span ref={heading} tabIndex={-1} className="outline-none">
            The list is applied
          </span>
        }
        actions={
          <Button variant="secondary" size="sm" onClick={() => (isPrinted ? onAnother() : setAsked(true))}>
            Import Another List
          </Button>
        }
      />
      <CardBody className="flex flex-col items-start gap-3">
        <ul className="list-disc pl-5">
          <li>{`${counted(added, 'child', 'children')} added`}</li>
          <li>{`${wholeNumber(changed)} changed`}</li>
          <li>{`${wholeNumber(left)} left`}</li>
          {leftOut > 0 ? (
            <li>{`${counted(leftOut, 'row')} left out, because nobody decided on them`}</li>
          ) : null}
        </ul>
        {kept.length > 0 ? (
          <Notice
            tone="warning"
            title={`${counted(kept.length, 'child is', 'children are')} not in the list and kept: they have lunches to come`}
          >
            <ChildNames of={kept} />
          </Notice>
        ) : null}
        <Codes result={result} letters={letters} onPrint={() => setPrinted(true)} />
      </CardBody>
      <ConfirmDialog
        open={asked}
        title="Go on without the letters?"
        confirm="Go On"
        onConfirm={onAnother}
        onClose={() => setAsked(false)}
      >
        These claim codes are shown only here. Letters that you print later have new ones, and the codes that
        were mailed are void then.
      </ConfirmDialog>
    </Card>
  )
}

type CodesProps = Pick<ImportResultProps, 'result' | 'letters'> & { onPrint: () => void }

const Codes = ({ result: { codes }, letters, onPrint }: CodesProps) => {
  const [open, setOpen] = useState(false)
  if (codes.length === 0) return null
  const mailed = codes.filter((code) => code.mailed).length
  return (
    <>
      <p>
        {`${counted(codes.length, 'family has', 'families have')} a claim code now`}
        {mailed > 0 ? `; ${wholeNumber(mailed)} ${mailed === 1 ? 'gets it' : 'get it'} by mail.` : '.'}
      </p>
      <Button
        icon="print"
        onClick={() => {
          onPrint()
          setOpen(true)
        }}
      >
        Print Letters
      </Button>
      {open ? letters(codes, () => setOpen(false)) : null}
    </>
  )
}
