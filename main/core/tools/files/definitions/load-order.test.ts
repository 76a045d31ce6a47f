import { describe, expect, it } from 'vitest';
import { inLoadOrder } from './load-order.ts';

const order = (...texts: string[]): number[] =>
  inLoadOrder(texts.map((text, index) => ({ text, index }))).map(({ index }) => index);

describe('load order', () => {
  it('Changed files are loaded as they were given, a file after the one that defines its package [issue 35.1]', () => {
    expect(order('(in-package #:shop) (defun f ())', '(defpackage #:shop/tests (:use #:cl #:shop))')).toEqual([0, 1]);
    expect(order('(in-package #:shop)', '(uiop:define-package "SHOP" (:use :cl))')).toEqual([1, 0]);
    expect(order('(in-package shop)', '(defpackage shop (:use :cl :tools))', '(defpackage :tools)')).toEqual([2, 1, 0]);
    expect(order('(in-package :cl-user) (shop:total)', '(in-package :other)', '(defpackage :shop)')).toEqual([1, 2, 0]);
    expect(order('(defpackage :a (:use :b))', '(defpackage :b (:use :a))')).toEqual([0, 1]);
    expect(order('', '(defun shopping ())', '(defpackage :shop)')).toEqual([0, 1, 2]);
  });
});
