/** Names and phones are compared in the browser as on the server. */
export { foldedName, foldedWords } from '#kernel/folded-name'
export { internationalPhone } from '#kernel/phone-number'
