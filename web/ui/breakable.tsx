import { Fragment } from 'react'

/** A name without spaces, which in a narrow place goes on to the next line after a dot rather than within a word. */
export const Breakable = ({ text }: { text: string }) =>
  text.split(/(?<=[.@_-])/).map((part, at) => (
    // oxlint-disable-next-line react/no-array-index-key -- the parts of one text stay where they are
    <Fragment key={at}>
      {at > 0 ? <wbr /> : null}
      {part}
    </Fragment>
  ))
