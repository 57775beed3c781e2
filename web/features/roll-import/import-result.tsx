import { useState } from 'react'
import { counted, wholeNumber } from '../../lib/format'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { Notice } from '../../ui/notice'
import type { RenderLetters, Result } from './import-draft'
import { ChildNames } from './child-names'
import { useFocusFirst } from './use-focus-first'

type ImportResultProps = { result: Result; letters: RenderLetters | undefined; onAnother: () => void }

/** What became of a list, and the letters for the families that can now claim their children. */
export const ImportResult = ({ result, letters, onAnother }: ImportResultProps) => {
  const { added, changed, left, leftOut, kept } = result
  const heading = useFocusFirst<HTMLSpanElement>()
  return (
    <Card>
      <CardHeading
        title={
          <span ref={heading} tabIndex={-1} className="outline-none">
            The list is applied
          </span>
        }
        actions={
          <Button variant="secondary" size="sm" onClick={onAnother}>
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
        <Codes result={result} letters={letters} />
      </CardBody>
    </Card>
  )
}

const Codes = ({ result: { codes }, letters }: Pick<ImportResultProps, 'result' | 'letters'>) => {
  const [open, setOpen] = useState(false)
  if (codes.length === 0) return null
  const mailed = codes.filter((code) => code.mailed).length
  return (
    <>
      <p>
        {`${counted(codes.length, 'family has', 'families have')} a claim code now`}
        {mailed > 0 ? `; ${wholeNumber(mailed)} ${mailed === 1 ? 'gets it' : 'get it'} by mail.` : '.'}
      </p>
      {letters ? (
        <Button icon="print" onClick={() => setOpen(true)}>
          Print Letters
        </Button>
      ) : null}
      {open ? letters?.(codes, () => setOpen(false)) : null}
    </>
  )
}
