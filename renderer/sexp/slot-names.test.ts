import { expect, it } from 'vitest';
import { readText } from '#contract/sexp/reader.ts';
import { classesIn } from '#contract/sexp/slots.ts';
import { meantSlots, slotAt } from './slot-names.ts';

const CLASSES = `(defclass adventurer (being) ((name :initarg :name) (weapon :initarg :weapon :initarg :arm) purse))
(defclass being () ((health :initarg :health)))
(progn (defclass monster (being) ((weapon :initarg :claws))))
(defstruct (chamber (:constructor dig) (:include place)) "Dark." exits (light nil))
(defstruct place (north nil))
(define-condition lost (error) ((weapon :initarg :weapon)))
`;

const classes = classesIn(CLASSES, readText(CLASSES).forms);

function meant(drawn: string): string[] | null {
  const text = drawn.replace('¦', '');
  const slot = slotAt(text, readText(text).forms, drawn.indexOf('¦'));
  return slot && meantSlots(classes, slot).map((each) => `${each.class.name} ${each.slot.name}`);
}

it.each([
  ["(slot-value a 'wea¦pon)", ['adventurer weapon', 'monster weapon', 'lost weapon']],
  ["(setf (slot-value a 'purse¦) 1)", ['adventurer purse']],
  ["(slot-boundp a 'cave::north¦)", ['place north']],
  ["(slot-value 'purse¦ 'weapon)", null],
  ['(slot-value a purse¦)', null],
  ['(with-slots (name pur¦se) a purse)', ['adventurer purse']],
  ['(with-slots ((p pur¦se)) a p)', ['adventurer purse']],
  ['(with-slots ((p¦ purse)) a p)', null],
  ['(with-slots (purse) a pur¦se)', null],
  ["(make-instance 'adventurer :wea¦pon 1)", ['adventurer weapon']],
  ["(make-instance 'adventurer :name 1 :heal¦th 1)", ['being health']],
  ["(make-instance 'adventurer :name :wea¦pon)", null],
  ['(make-instance kind :cla¦ws 1)', ['monster weapon']],
  ["(error 'lost :wea¦pon a)", ['lost weapon']],
  ['(cerror "Go on" \'lost :wea¦pon a)', ['lost weapon']],
  ['(dig :light¦ t)', ['chamber light']],
  ['(dig :no¦rth t)', ['place north']],
  ['(make-place :north¦ t)', ['place north']],
  ['(make-shop :north¦ t)', []],
  ['(list :a :weapon¦)', null],
  ['(defclass knight (adventurer) () (:default-initargs :wea¦pon 1))', ['adventurer weapon', 'lost weapon']],
  ['(defclass adventurer () ((pur¦se)))', ['adventurer purse']],
])('The slot of %j is %j', (drawn, expected) => {
  expect(meant(drawn)).toEqual(expected);
});
