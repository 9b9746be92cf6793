#pragma once
#include <QObject>
//> import * from QObject *
#include <string>
//> import * from string *

/** A counter. */
class LIB_EXPORT Counter : public QObject {
//> class Counter doc="A counter." end=19
  Q_OBJECT
  Q_PROPERTY(int value READ value WRITE setValue NOTIFY changed)
 public:
  explicit Counter(QObject* parent = nullptr);
  //> constructor Counter::Counter vis=public mods=declare
  Q_INVOKABLE int value() const { return value_; }
  //> method Counter::value sig="Q_INVOKABLE int value() const"
  Q_DISABLE_COPY(Counter)
 public slots:
  void setValue(int value);
  //> method Counter::setValue vis=public
 private Q_SLOTS:
  void onTimer();
  //> method Counter::onTimer vis=private
 signals:
  void changed(int value);
  //> method Counter::changed vis=public
 Q_SIGNALS:
  void reset();
  //> method Counter::reset vis=public
 private:
  Q_DECLARE_PRIVATE(Counter)
  int value_ = 0;
  //> field Counter::value_ vis=private
  QWidget* parent_ = nullptr;
  //> field Counter::parent_
};
Q_DECLARE_METATYPE(Counter)

UCLASS(Blueprintable)
class GAME_API AActor : public UObject {
//> class AActor deco="UCLASS(Blueprintable)" sig="class GAME_API AActor : public UObject"
  GENERATED_BODY()

 public:
  UPROPERTY(EditAnywhere, Category = "Size")
  float Size = 1.0f;
  //> field AActor::Size deco="UPROPERTY(EditAnywhere, Category = "Size")" sig="float Size = 1.0f"
  UFUNCTION(BlueprintCallable)
  void Grow(float By);
  //> method AActor::Grow deco="UFUNCTION(BlueprintCallable)"
};

class MOCK_API MockShape : public Shape {
//> class MockShape
 public:
  MOCK_METHOD(double, area, (), (const, override));
  DISALLOW_COPY_AND_ASSIGN(MockShape);
  int real() const { return 1; }
  //> method MockShape::real
};
