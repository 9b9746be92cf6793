package com.example.shop;

import java.util.List;

/** What a customer has to pay. */
public record Invoice(String customer, List<Line> lines) {
    /** One line of an invoice. */
    public record Line(String text, long cents) {}

    /** The sum of all lines, in cents. */
    public long total() {
        return lines.stream().mapToLong(Line::cents).sum();
    }
}
